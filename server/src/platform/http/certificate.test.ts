import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAuthority, makeServerCertificate } from '@quayside/embedded-kubernetes/auth/certificate-maker'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { Logger } from '../logging/logger.ts'
import { followCertificate, readCertificate } from './certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'quayside-test-'))
const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
const dayMs = 86_400_000

beforeAll(async () => {
  const { certificatePem, keyPem } = await makeServerCertificate(await makeAuthority(), ['localhost'], [])
  writeFileSync(files.certFile, certificatePem)
  writeFileSync(files.keyFile, keyPem)
})
afterEach(() => void vi.useRealTimers())
afterAll(() => rmSync(folder, { recursive: true }))

it('says which file cannot be read, and why', () => {
  expect(() => readCertificate({ ...files, keyFile: join(folder, 'none') })).toThrow(
    'QUAYSIDE_TLS_KEY_FILE: cannot be read (ENOENT)',
  )
  expect(() => readCertificate({ ...files, certFile: folder })).toThrow(
    'QUAYSIDE_TLS_CERT_FILE: cannot be read (EISDIR)',
  )
})

it('warns once a day while the certificate expires soon, and when it has', () => {
  const first = readCertificate(files)
  vi.useFakeTimers({ now: first.expiresAt.getTime() - 2.5 * dayMs })
  const warn = vi.fn<(about: object, message: string) => void>()
  const stop = followCertificate({ setSecureContext: vi.fn() }, files, {
    ...{ log: { warn, info: vi.fn(), error: vi.fn() } as unknown as Logger, host: 'localhost', first },
    everyMs: 3_600_000,
  })
  const said = () => warn.mock.calls.map(([, message]) => message)
  const soon = 'the certificate expires soon'
  expect(said()).toEqual([soon])
  vi.advanceTimersByTime(0.9 * dayMs)
  expect(said()).toEqual([soon])
  vi.advanceTimersByTime(0.2 * dayMs)
  expect(said()).toEqual([soon, soon])
  vi.advanceTimersByTime(2 * dayMs)
  expect(said()).toEqual([soon, soon, soon, 'the certificate has expired'])
  stop()
  vi.advanceTimersByTime(2 * dayMs)
  expect(said()).toHaveLength(4)
})
