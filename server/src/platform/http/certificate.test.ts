import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAuthority, makeServerCertificate } from '@quayside/embedded-kubernetes/auth/certificate-maker'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Logger } from '../logging/logger.ts'
import { followCertificate, readCertificate } from './certificate.ts'

const everyMs = 1000
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quayside-test-'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

it('a renewal is served once, and each one that fails is said once, also after one that has not', async () => {
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  const authority = await makeAuthority()
  const renew = async () => {
    const { certificatePem, keyPem } = await makeServerCertificate(authority, ['localhost'], [])
    writeFileSync(files.certFile, certificatePem)
    writeFileSync(files.keyFile, keyPem)
  }
  await renew()
  const said: string[] = []
  const say = (word: string) => (facts: { reason?: string }) => void said.push(facts.reason ?? word)
  const log = { info: say('renewed'), warn: say('warned'), error: say('failed') } as never
  const server = { setSecureContext: vi.fn() }
  const end = followCertificate(server, files, { log, host: 'localhost', first: readCertificate(files), everyMs })
  const look = (times: number) => void vi.advanceTimersByTime(times * everyMs)
  const noKey = 'QUAYSIDE_TLS_KEY_FILE: holds no private key in PEM without a passphrase'

  look(3)
  expect([said, server.setSecureContext.mock.calls.length]).toEqual([[], 0])
  writeFileSync(files.keyFile, '')
  look(3)
  await renew()
  look(3)
  writeFileSync(files.keyFile, '')
  look(3)
  expect(said).toEqual([noKey, 'renewed', noKey])
  expect(server.setSecureContext).toHaveBeenCalledTimes(1)
  end()
  await renew()
  look(3)
  expect(server.setSecureContext).toHaveBeenCalledTimes(1)
})

const dayMs = 86_400_000

async function makeFiles() {
  const files = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  const { certificatePem, keyPem } = await makeServerCertificate(await makeAuthority(), ['localhost'], [])
  writeFileSync(files.certFile, certificatePem)
  writeFileSync(files.keyFile, keyPem)
  return files
}

it('says which file cannot be read, and why', async () => {
  const files = await makeFiles()
  expect(() => readCertificate({ ...files, keyFile: join(folder, 'none') })).toThrow(
    'QUAYSIDE_TLS_KEY_FILE: cannot be read (ENOENT)',
  )
  expect(() => readCertificate({ ...files, certFile: folder })).toThrow(
    'QUAYSIDE_TLS_CERT_FILE: cannot be read (EISDIR)',
  )
})

it('warns once a day while the certificate expires soon, and when it has', async () => {
  const files = await makeFiles()
  const first = readCertificate(files)
  vi.useFakeTimers({ now: first.expiresAt.getTime() - 2.5 * dayMs })
  const warn = vi.fn<(about: object, message: string) => void>()
  const end = followCertificate({ setSecureContext: vi.fn() }, files, {
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
  end()
  vi.advanceTimersByTime(2 * dayMs)
  expect(said()).toHaveLength(4)
})
