import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { syslogFrame } from './syslog.ts'

const entry = {
  ...{ id: 'e1', at: '2026-01-01T00:00:00.000Z', who: { id: 'u1', username: 'zoë' }, client: 'c', ipAddress: '::1' },
  token: { id: 't1', name: 'CI' },
  ...{ capability: 'spaces', call: 'DELETE /x', title: 'Delete a space', name: null, about: {}, status: 200 },
  ...{ code: null, requestId: 'r1', tenant: 'demo' },
}

it.each([
  ['done', 110],
  ['refused', 108],
  ['unknown', 108],
  ['failed', 107],
] as const)('an entry that is %s has its priority, and a length in bytes', (outcome, priority) => {
  const frame = syslogFrame({ ...entry, outcome })
  const [length = '', rest = ''] = [frame.slice(0, frame.indexOf(' ')), frame.slice(frame.indexOf(' ') + 1)]
  expect(Buffer.byteLength(rest)).toBe(Number(length))
  expect(rest.startsWith(`<${priority}>1 2026-01-01T00:00:00.000Z ${hostname()} quayside - spaces - {`)).toBe(true)
  expect(JSON.parse(rest.slice(rest.indexOf('{')))).toEqual({ ...entry, outcome })
})
