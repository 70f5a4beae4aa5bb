import { expect, it } from 'vitest'
import { linksIn } from './link-lines.ts'

it('a line that is no link is named, and the others are links', () => {
  expect(linksIn('Wiki https://wiki.example.org/\n\nBroken line\nmail mailto:a@example.org')).toEqual({
    links: [{ name: 'Wiki', url: 'https://wiki.example.org/' }],
    problem: expect.stringMatching(/^“Broken line” has no address/),
  })
  expect(linksIn('mail mailto:a@example.org').problem).toContain('“mail mailto:a@example.org”')
  expect(linksIn('https://wiki.example.org/\n')).toEqual({
    links: [{ name: 'https://wiki.example.org/', url: 'https://wiki.example.org/' }],
    wrong: undefined,
  })
})
