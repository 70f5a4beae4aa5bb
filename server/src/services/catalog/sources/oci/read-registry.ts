import type { Answer, Credentials, Outgoing } from '../../../../adapters/outgoing/outgoing.ts'
import { mustBeGood } from '../answers.ts'
import { isWanted } from '../glob.ts'
import { readLimits } from '../limits.ts'
import { SourceFault } from '../upstream.ts'
import { createRegistryClient, jsonOf } from './registry-client.ts'

const name = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const repositoryName = new RegExp(`^${name}(?:/${name})*$`)
const tagName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/

/** Lists of a registry: its repositories below a path, and the tags of each. */
export function createRegistryReader(get: Outgoing, address: URL, credentials: Credentials | undefined) {
  const { host } = address
  const isSignedIn = credentials !== undefined
  const ask = createRegistryClient(get, address, credentials)

  /** All pages of a list that a registry gives. */
  async function* pages(first: string, about: string, absent: string, signal: AbortSignal) {
    let next: string | undefined = first
    for (let page = 0; next !== undefined; page += 1) {
      if (page >= readLimits.pages) throw new SourceFault(`${host} lists more than can be read.`)
      const answer: Answer = await ask(next, about, { accept: 'application/json', signal })
      mustBeGood(answer, { isSignedIn, absent })
      next = nextPage(answer)
      yield jsonOf(await answer.text())
    }
  }

  async function tags(repository: string, signal: AbortSignal): Promise<string[]> {
    if (!repositoryName.test(repository)) throw new SourceFault('No repository of a registry has such a name.')
    const found: string[] = []
    const absent = `${host} has no repository ${repository}.`
    for await (const { tags: some } of pages(`/v2/${repository}/tags/list?n=1000`, repository, absent, signal))
      found.push(...textsIn(some).filter((tag) => tagName.test(tag)))
    return found
  }

  return {
    ask,
    isSignedIn,
    tags,

    /** Tags of the path itself; undefined where it is no repository. */
    async ownTags(path: string, signal: AbortSignal): Promise<string[] | undefined> {
      if (path === '') return undefined
      const found = await tags(path, signal).catch((error: unknown) => {
        if (error instanceof SourceFault) return []
        throw error
      })
      return found.length > 0 ? found : undefined
    },

    /** Repositories below a path whose last name is wanted. A registry that lists none is asked for names alone. */
    async repositories(path: string, charts: readonly string[], signal: AbortSignal): Promise<string[]> {
      const exact = charts.filter((chart) => !chart.startsWith('!'))
      if (exact.length > 0 && exact.every((chart) => !/[*?]/.test(chart)))
        return exact.map((chart) => (path === '' ? chart : `${path}/${chart}`))
      const found: string[] = []
      const unlisted = `${host} does not list its repositories. Name the charts one by one, or add the address of one repository.`
      for await (const { repositories: some } of pages('/v2/_catalog?n=1000', '', unlisted, signal)) {
        found.push(...textsIn(some).filter((one) => repositoryName.test(one) && isBelow(path, one)))
        if (found.length > readLimits.repositories)
          throw new SourceFault(
            `${host} has more than ${readLimits.repositories} repositories there. Choose a namespace.`,
          )
      }
      return found.filter((one) => isWanted(charts, lastOf(one)))
    },
  }
}

/** The name of a chart in the name of its repository. */
export const lastOf = (repository: string) => repository.split('/').at(-1) ?? ''

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
const isBelow = (path: string, one: string) => path === '' || one.startsWith(`${path}/`)

/** The page that follows, as the `link` header names it: a path of the same registry, whatever it says. */
function nextPage({ headers: { link }, url }: Answer): string | undefined {
  const [, target] = /<([^>]+)>\s*;\s*rel="?next"?/.exec(typeof link === 'string' ? link : '') ?? []
  if (target === undefined || !URL.canParse(target, url)) return undefined
  const next = new URL(target, url)
  return `${next.pathname}${next.search}`
}
