import type { RequestHandler } from "express";
import helmet from "helmet";

/**
 * The headers of every answer. Scripts come from our own files only; inline style is allowed because the
 * component library sets positions that way. Strict transport is said only where https is known to be spoken:
 * said on plain http://localhost, it would lock a browser out of every other local program.
 */
export function securityHeaders(options: { isHttps: boolean }): RequestHandler[] {
  const policy = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "script-src-attr": ["'none'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
      },
    },
    strictTransportSecurity: options.isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "same-origin" },
  });
  return [
    policy,
    (_request, response, next) => {
      response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()");
      next();
    },
  ];
}
