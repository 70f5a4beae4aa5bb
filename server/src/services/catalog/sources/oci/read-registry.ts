import type { Answer, Credentials, HttpFetcher } from '../../../../adapters/outgoing/outgoing.ts'
import { mustBeGood } from '../answers.ts'
import { wantedAmong } from '../glob.ts'
import { readLimits } from '../limits.ts'
import { SourceFault } from '../upstream.ts'
import { createRegistryClient, jsonOf, type RegistryClient } from './registry-client.ts'

const name = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*'
const repositoryName = new RegExp(`^${name}(?:/${name})*$`)
const tagName = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/

/** Lists of a registry: its repositories below a path, and the tags of each. */
export function createRegistryReader(get: HttpFetcher, address: URL, credentials: Credentials | undefined) {
  const { host } = address
  const isSignedIn = credentials !== undefined
  const ask = createRegistryClient(get, address, credentials)
  const lists = createLists(ask, host, isSignedIn)

  /** Tags of all repositories that were read, fit or not. */
  let read = 0
  /** The refusal of the path itself: many registries refuse what is not there. */
  let denied: SourceFault | undefined

  async function tags(repository: string, signal: AbortSignal): Promise<string[]> {
    if (!repositoryName.test(repository)) throw new SourceFault('No repository of a registry has such a name.')
    const found = new Set<string>()
    const before = read
    const absent = `${host} has no repository ${repository}.`
    const pages = lists(`/v2/${repository}/tags/list?n=1000`, 'tags', { about: repository, absent, signal })
    for await (const some of pages) {
      read += some.length
      if (read > readLimits.tags)
        throw new ListTooLong(`${host} has more than ${readLimits.tags} tags there. Choose fewer charts.`)
      if (read - before > readLimits.tagsOfOne)
        throw new SourceFault(
          `${repository} has more than ${readLimits.tagsOfOne} tags, which is more than can be read.`,
        )
      for (const tag of some) if (typeof tag === 'string' && tagName.test(tag)) found.add(tag)
    }
    return [...found]
  }

  /** Names of all repositories, page by page. Registries that keep them to themselves refuse in many ways. */
  async function* catalog(signal: AbortSignal) {
    const hint = 'Name the charts one by one, or add the address of one repository.'
    const absent = `${host} does not list its repositories. ${hint}`
    try {
      yield* lists('/v2/_catalog?n=1000', 'repositories', { about: '', absent, signal })
    } catch (error) {
      if (!(error instanceof SourceFault) || (error.status !== 401 && error.status !== 403)) throw error
      if (!isSignedIn) throw new SourceFault(`${host} does not list its repositories without a sign-in. ${hint}`)
      throw denied ?? new SourceFault(absent)
    }
  }

  return {
    ask,
    isSignedIn,
    tags,

    /** Tags of the path itself; none where it is no repository, or where the registry does not say whether it is one. */
    async ownTags(path: string, signal: AbortSignal): Promise<string[]> {
      if (path === '') return []
      return tags(path, signal).catch((error: unknown) => {
        if (!(error instanceof SourceFault) || !isAbsentOrDenied(error)) throw error
        if (error.status !== 404) denied = error
        return []
      })
    },

    /** Repositories below a path whose last name is wanted. A registry that lists none is asked for names alone. */
    async repositories(path: string, charts: readonly string[], signal: AbortSignal): Promise<string[]> {
      const exact = charts.filter((chart) => !chart.startsWith('!'))
      if (exact.length > 0 && exact.every((chart) => !/[*?]/.test(chart))) {
        const wanted = await wantedAmong(charts, exact)
        return [...wanted].map((chart) => (path === '' ? chart : `${path}/${chart}`))
      }
      const found = new Set<string>()
      let listed = 0
      for await (const some of catalog(signal)) {
        listed += some.length
        if (listed > readLimits.listedRepositories) throw new SourceFault(tooMany(host, readLimits.listedRepositories))
        for (const one of some)
          if (typeof one === 'string' && repositoryName.test(one) && isBelow(path, one)) found.add(one)
        if (found.size > readLimits.repositories) throw new SourceFault(tooMany(host, readLimits.repositories))
      }
      const wanted = await wantedAmong(charts, [...found].map(lastOf))
      return [...found].filter((one) => wanted.has(lastOf(one)))
    },
  }
}

/** Reads a list that a registry gives, page by page. */
function createLists(ask: RegistryClient, host: string, isSignedIn: boolean) {
  return async function* lists(first: string, field: string, { about, absent, signal }: Listed) {
    let next: string | undefined = first
    for (let page = 0; next !== undefined; page += 1) {
      if (page >= readLimits.pages) throw new SourceFault(`${host} lists more than can be read.`)
      const answer: Answer = await ask(next, about, { accept: 'application/json', signal })
      mustBeGood(answer, { isSignedIn, absent })
      next = nextPage(answer)
      const { [field]: some } = jsonOf(await answer.text())
      yield Array.isArray(some) ? some : []
    }
  }
}

const isAbsentOrDenied = ({ status }: SourceFault) => status === 404 || status === 401 || status === 403

interface Listed {
  /** The repository whose token is sent. */
  about: string
  /** Sentence for a list that is not there. */
  absent: string
  signal: AbortSignal
}

/** A list that is too long as a whole: reading on, repository by repository, would not shorten it. */
export class ListTooLong extends SourceFault {
  override name = 'ListTooLong'
}

const tooMany = (host: string, most: number) =>
  `${host} has more than ${most} repositories there. Add the address of a namespace, or of one repository.`

/** The name of a chart in the name of its repository. */
export const lastOf = (repository: string) => repository.split('/').at(-1) ?? ''

const isBelow = (path: string, one: string) => path === '' || one.startsWith(`${path}/`)

/** The page that follows, as the `link` header names it: a path of the same registry, whatever it says. */
function nextPage({ headers: { link }, url }: Answer): string | undefined {
  const [, target] = /<([^>]+)>\s*;\s*rel="?next"?/.exec(typeof link === 'string' ? link : '') ?? []
  if (target === undefined || !URL.canParse(target, url)) return undefined
  const next = new URL(target, url)
  // A path that begins with two slashes would name another host.
  return next.pathname.startsWith('//') ? undefined : `${next.pathname}${next.search}`
}
