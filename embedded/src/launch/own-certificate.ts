import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import type { Plan } from './plan.ts'

/** The first content goes in by the portal's address, whose certificate nobody else has to know. */
export function trustOwnCertificate({ tls }: Pick<Plan, 'tls'>): void {
  if (!tls) return
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(tls.certFile, 'utf8')])
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    throw new Obstacle(
      `QUAYSIDE_TLS_CERT_FILE names ${tls.certFile}, which is no certificate that can be read (${why}).`,
    )
  }
}

/** The way out where this machine does not trust the certificate of its own portal; else the error itself. */
export function explainTrust(error: unknown, { url, tls }: Pick<Plan, 'url' | 'tls'>): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (!tls || !/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_/.test(code)) return error
  return new Obstacle(
    `This machine does not trust the certificate at ${url} (${code}), so the first content could not be put in. Set NODE_EXTRA_CA_CERTS to the certificate of the authority that signed it, QUAYSIDE_URL to a name that it is for, or QUAYSIDE_SAMPLES=false.`,
  )
}
