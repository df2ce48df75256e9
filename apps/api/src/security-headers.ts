import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Pages may talk to this host and to no other; the docs page is held to the same. */
export const securityHeaders = (): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine and Scalar set style attributes and style elements at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Only a server that is reached by https may promise it; the proxy that ends TLS does.
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  });
