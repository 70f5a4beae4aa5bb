import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAuthority, makeServerCertificate } from '@quayside/embedded-kubernetes/auth/certificate-maker'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
