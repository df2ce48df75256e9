import { statement } from '@service/database';

/**
 * The most deliveries that wait for an endpoint that has never answered. Further ones end at once, so that a wrong URL does not fill
 * the queue of its account. An endpoint that is being set up has a few, and one that has answered once may have any number.
 */
export const unansweredMax = 1000;

/**
 * $1 the limit. Marks unhealthy endpoints that have never answered and for which more deliveries wait, and unmarks the others. Workers
 * run it once a minute; rows whose health is being recorded come next time.
 */
export const markFullEndpoints = statement({
  text: `
    with counted as (
      select health.endpoint_id, health.account_id, not endpoint.has_answered and waiting.count > $1 as is_full
      from deliveries.endpoint_health health
      join deliveries.endpoint on endpoint.id = health.endpoint_id and endpoint.account_id = health.account_id
      cross join lateral (
        select count(*) as count from (
          select from deliveries.due
          where due.account_id = health.account_id and due.endpoint_id = health.endpoint_id and not endpoint.has_answered
          limit $1 + 1
        ) counted
      ) waiting
      where not endpoint.has_answered or is_full
    ), changed as (
      select counted.* from counted
      join deliveries.endpoint_health health on health.endpoint_id = counted.endpoint_id and health.account_id = counted.account_id
      where health.is_full <> counted.is_full
      for update of health skip locked
    )
    update deliveries.endpoint_health health set is_full = changed.is_full
    from changed where health.endpoint_id = changed.endpoint_id and health.account_id = changed.account_id`,
  allAccounts: 'The upkeep of a worker serves every account.',
});
