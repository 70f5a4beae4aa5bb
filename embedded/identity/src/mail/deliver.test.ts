import { afterEach, expect, it, vi } from 'vitest'
import { startSmtpServer } from '../testing/smtp-server.ts'
import { deliver, reasonOf } from './deliver.ts'

afterEach(() => vi.useRealTimers())

it('a delivery is given up after half a minute, however long the server says that it goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await using smtp = await startSmtpServer()
  // Lines of an answer that goes on keep the connection from being idle.
  smtp.refusal = '250-go on'
  const server = {
    ...{ host: '127.0.0.1', port: smtp.port, from: { name: '', address: 'identity@demo.example' } },
    ...{ replyTo: undefined, envelopeFrom: undefined, ssl: false, starttls: false, auth: undefined },
  }
  const letter = { to: 'ada@demo.example', subject: 'Slow', text: 'x', html: '<p>x</p>' }
  let reason: string | undefined
  const delivery = deliver(server, letter, [`127.0.0.1:${smtp.port}`]).catch((error: unknown) => {
    reason = reasonOf(error)
  })
  await vi.waitUntil(() => smtp.messages > 0, { interval: 20, timeout: 5000 })
  vi.advanceTimersByTime(29_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(reason).toBeUndefined()
  vi.advanceTimersByTime(1000)
  await delivery
  expect(reason).toBe('The mail server did not answer in time.')
})
