import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { logContext } from './log-context.ts'
import { createLogger } from './logger.ts'

function logging() {
  const lines: Record<string, unknown>[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { log: createLogger('info', to), lines }
}

it('each line carries the ids of what is worked on, also after a wait, and once', async () => {
  const { log, lines } = logging()
  await logContext.run({ actionId: 'a1', tenantId: 't1' }, async () => {
    await new Promise(setImmediate)
    log.info({ actionId: 'a1' }, 'inside')
  })
  log.info('outside')
  expect(lines).toEqual([
    { level: 30, time: expect.any(Number), actionId: 'a1', tenantId: 't1', msg: 'inside' },
    { level: 30, time: expect.any(Number), msg: 'outside' },
  ])
})

it('what is known to be secret is hidden', () => {
  const { log, lines } = logging()
  log.info({ headers: { authorization: 'Bearer x' }, password: 'x' }, 'signed in')
  expect(lines[0]).toMatchObject({ headers: { authorization: '[hidden]' }, password: '[hidden]' })
})
