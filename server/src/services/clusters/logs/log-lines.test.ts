import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { linesOf, type StampedLine } from './log-lines.ts'

async function read(...chunks: string[]): Promise<StampedLine[]> {
  const lines: StampedLine[] = []
  for await (const line of linesOf(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))) lines.push(line)
  return lines
}

it.each([
  ['2026-11-26T10:00:00.000000001Z started', '2026-11-26T10:00:00.000000001Z', 'started'],
  ['2026-11-26T10:00:00Z started', '2026-11-26T10:00:00.000000000Z', 'started'],
  ['2026-11-26T11:30:00.5+01:30 started', '2026-11-26T10:00:00.500000000Z', 'started'],
  ['2026-11-26T10:00:00.1Z  two blanks', '2026-11-26T10:00:00.100000000Z', ' two blanks'],
  ['2026-13-77T10:00:00Z no such day', null, '2026-13-77T10:00:00Z no such day'],
  ['no time', null, 'no time'],
])('reads %s', async (raw, at, text) => {
  expect(await read(`${raw}\n`)).toEqual([{ at, text }])
})

it('puts together lines that come in pieces, and takes the last one without its end', async () => {
  expect((await read('a\nb', 'c\n', '\nd')).map(({ text }) => text)).toEqual(['a', 'bc', '', 'd'])
})

it('cuts a line that is too long once, and goes on with the next', async () => {
  const long = 'x'.repeat(100_000)
  const [first, second, ...more] = await read(long, long, `${long}\nnext\n`)
  expect(first?.text).toBe(`${'x'.repeat(16 * 1024)}…`)
  expect([second?.text, more]).toEqual(['next', []])
})
