import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { expect, it } from 'vitest'
import { explainTrust } from './own-certificate.ts'

const plan = { url: 'https://portal.example.org', tls: { certFile: 'tls.crt', keyFile: 'tls.key' } }
const failed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })

it.each([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_GET_ISSUER_CERT',
])('%s is explained with what to set', (code) => {
  const explained = explainTrust(failed(code), plan)
  expect(explained).toBeInstanceOf(Obstacle)
  expect(String(explained)).toContain(`${plan.url} (${code})`)
  expect(String(explained)).toContain('NODE_EXTRA_CA_CERTS')
})

it('leaves other failures, and those of a portal without a certificate, as they are', () => {
  const refused = failed('ECONNREFUSED')
  expect(explainTrust(refused, plan)).toBe(refused)
  const untrusted = failed('DEPTH_ZERO_SELF_SIGNED_CERT')
  expect(explainTrust(untrusted, { ...plan, tls: undefined })).toBe(untrusted)
  expect(explainTrust('no error', plan)).toBe('no error')
})
