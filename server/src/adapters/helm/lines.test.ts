import { describe, expect, it } from 'vitest'
import { cleanLine, createLines, createTail } from './lines.ts'

describe('lines of Helm', () => {
  it('lose ANSI, control and direction characters', () => {
    expect(cleanLine('\u001b[31mred\u001b[0m \u001b]0;title\u0007tab\there\r\u0000\u202Eend')).toBe('red tab\thereend')
  })
  it('are cut at 4 KiB', () => {
    expect(cleanLine('x'.repeat(10_000))).toHaveLength(4096)
  })
  it('come whole, however the bytes were cut', () => {
    const seen: string[] = []
    const lines = createLines((line) => seen.push(line))
    const bytes = Buffer.from('größe\nsecond\nlast')
    for (const byte of bytes) lines.push(Buffer.from([byte]))
    lines.end()
    expect(seen).toEqual(['größe', 'second', 'last'])
  })
  it('do not gather memory when the line has no end', () => {
    const seen: string[] = []
    const lines = createLines((line) => seen.push(line))
    for (let i = 0; i < 100; i++) lines.push(Buffer.alloc(10_000, 'x'))
    lines.end()
    expect(seen.map((line) => line.length)).toEqual([4096])
  })
})

describe('the tail of a stream', () => {
  it('keeps the newest bytes', () => {
    const tail = createTail(5)
    expect(tail.push(Buffer.from('abc'))).toBe(true)
    expect(tail.push(Buffer.from('defg'))).toBe(false)
    expect(tail.text()).toBe('cdefg')
    tail.push(Buffer.from('0123456789'))
    expect(tail.text()).toBe('56789')
  })
})
