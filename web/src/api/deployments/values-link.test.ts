import { expect, test } from 'vitest'
import { linkTo, longestLink, readLink } from './values-link.ts'

const there = async (link: string | undefined) => {
  const { search, hash } = new URL(link ?? 'http://none')
  return readLink(search, hash)
}

test('a link brings its values where it leads', async () => {
  const yaml = 'title: "Ahoi ⚓"\nreplicas: 3\n'
  const link = await linkTo('http://portal/en/catalog/apps', 'v1', yaml)
  expect(link).toMatch(/^http:\/\/portal\/en\/catalog\/apps\?deploy=v1#values=[\w-]+$/)
  expect(await there(link)).toEqual({ versionId: 'v1', values: yaml })
})

test('values that are too many make no link', async () => {
  const noise = Array.from({ length: 4000 }, (_, at) => `k${at}: ${(at * 7919) % 104_729}`).join('\n')
  expect(await linkTo('http://portal/x', 'v1', noise)).toBeUndefined()
  expect((await linkTo('http://portal/x', 'v1', 'a: 1'))?.length).toBeLessThan(longestLink)
})

test('what is broken, foreign or swells up brings nothing', async () => {
  const swelling = new Blob([' '.repeat(5_000_000)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bomb = Buffer.from(await new Response(swelling).arrayBuffer()).toString('base64url')
  expect(await readLink('?deploy=v1', `#values=${bomb}`)).toEqual({ versionId: 'v1', values: '' })
  expect(await readLink('?deploy=v1', '#values=AAAA')).toEqual({ versionId: 'v1', values: '' })
  expect(await readLink('?deploy=v1', '#values=a b')).toEqual({ versionId: 'v1' })
  expect(await readLink('?deploy=../x', '')).toBeUndefined()
  expect(await readLink('?q=x', '#values=AAAA')).toBeUndefined()
})
