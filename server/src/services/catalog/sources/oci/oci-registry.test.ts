import { expect, test } from 'vitest'
import { type Answer, type HttpFetcher, RequestFailed } from '../../../../adapters/outgoing/outgoing.ts'
import { readLimits } from '../limits.ts'
import { ociRegistry } from './oci-registry.ts'

const address = new URL('https://registry.example.org/team')
const wanted = { charts: ['*'], versions: 1, prereleases: false }

/** A registry whose answers follow from the path, with what was asked of it. */
function registry(answer: (url: URL) => object | number | undefined, link?: (url: URL) => string | undefined) {
  const asked: string[] = []
  const get: HttpFetcher = async (url) => {
    asked.push(url.pathname)
    const body = answer(url)
    return {
      ...{
        status: typeof body === 'number' ? body : body === undefined ? 404 : 200,
        headers: { link: link?.(url) },
        url,
      },
      text: async () => JSON.stringify(body),
      chunks: () => Promise.reject(new Error('not asked')) as never,
      close: () => undefined,
    } satisfies Answer
  }
  return { asked, list: () => ociRegistry(get, address, undefined).list(wanted, new AbortController().signal) }
}
const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `1.0.${from + at}`)
const isCatalog = (url: URL) => url.pathname === '/v2/_catalog'
const catalog = (count: number) => ({ repositories: Array.from({ length: count }, (_, at) => `team/chart-${at}`) })

test('a repository with more tags than are read is left out, and the others come', async () => {
  const { list } = registry((url) => {
    if (isCatalog(url)) return { repositories: ['team/huge', 'team/web'] }
    if (url.pathname === '/v2/team/huge/tags/list') return { tags: numbered(200_000) }
    return url.pathname === '/v2/team/web/tags/list' ? { tags: ['1.0.0', '1.1.0', '1.1.0'] } : undefined
  })
  await expect(list()).rejects.toThrow(`more than ${readLimits.tags} tags`)
  const smaller = registry((url) => {
    if (isCatalog(url)) return { repositories: ['team/huge', 'team/web'] }
    if (url.pathname === '/v2/team/huge/tags/list') return { tags: numbered(readLimits.tagsOfOne + 1) }
    return url.pathname === '/v2/team/web/tags/list' ? { tags: ['1.0.0', '1.1.0', '1.1.0'] } : undefined
  })
  expect(await smaller.list()).toMatchObject({
    offers: [{ chart: 'web', version: '1.1.0' }],
    leftOut: [{ chart: 'huge', message: expect.stringContaining(`more than ${readLimits.tagsOfOne} tags`) }],
  })
})

test('tags are counted over all repositories, also those that are none', async () => {
  const { asked, list } = registry((url) => {
    if (isCatalog(url)) return catalog(1000)
    if (url.pathname === '/v2/team/tags/list') return undefined
    return { tags: Array.from({ length: 5000 }, () => '…') }
  })
  await expect(list()).rejects.toThrow(`more than ${readLimits.tags} tags`)
  expect(asked.length).toBeLessThan(15)
})

test('pages without an end, and repositories without an end, are not read to it', async () => {
  const endless = registry(
    (url) => (isCatalog(url) ? { repositories: [] } : undefined),
    () => '</v2/_catalog?from=again>; rel="next"',
  )
  await expect(endless.list()).rejects.toThrow('lists more than can be read')
  const wide = registry((url) => (isCatalog(url) ? catalog(200_000) : undefined))
  await expect(wide.list()).rejects.toThrow('repositories there')
})

test.each([401, 403, 404, 405])(
  'a list of repositories that is answered with status %i is one that is not there',
  async (status) => {
    const { list } = registry((url) => (isCatalog(url) ? status : undefined))
    await expect(list()).rejects.toThrow(/does not list its repositories.*Name the charts one by one/)
  },
)

test('a registry that refuses what is no repository is asked for the charts by name', async () => {
  const { list } = registry((url) => {
    if (url.pathname === '/v2/team/tags/list') return 401
    return isCatalog(url) ? { repositories: ['team/web'] } : { tags: ['1.0.0'] }
  })
  expect(await list()).toMatchObject({ offers: [{ chart: 'web' }] })
})

const tagsOf = ({ pathname }: URL) => (pathname === '/v2/team/tags/list' ? [] : ['1.0.0'])

test.each([429, 500, 503])('status %i says nothing about what is there', async (status) => {
  const { list } = registry((url) => (url.pathname === '/v2/team/tags/list' ? status : { repositories: ['team/web'] }))
  await expect(list()).rejects.toBeInstanceOf(RequestFailed)
  const later = registry((url) =>
    isCatalog(url) ? catalog(3) : url.pathname === '/v2/team/chart-1/tags/list' ? status : { tags: tagsOf(url) },
  )
  await expect(later.list()).rejects.toBeInstanceOf(RequestFailed)
})

test('the next page is one of the same host', async () => {
  const { asked, list } = registry(
    (url) => (isCatalog(url) ? { repositories: [] } : undefined),
    () => '<https://registry.example.org//evil.example.org/list>; rel="next"',
  )
  await list()
  expect(asked).toEqual(['/v2/team/tags/list', '/v2/_catalog'])
})
