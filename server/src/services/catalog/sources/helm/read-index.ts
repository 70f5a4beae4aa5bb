import { guardYaml, yamlLimits } from '@quayside/values/yaml/yaml-guard'
import { parse } from 'yaml'
import { quoted } from '../answers.ts'
import { readLimits } from '../limits.ts'
import type { LeftOut } from '../upstream.ts'

/** Facts about a version that are read from an index. */
export interface IndexEntry {
  chart: string
  version: string
  /** Hexadecimal SHA-256, in lower case; null where the index states none. */
  digest: string | null
  url: string
  isLibrary: boolean
}

type IndexAnswer = { entries: IndexEntry[]; leftOut: LeftOut[] } | { problem: string }

/**
 * Reads the index of a Helm repository. Every scalar is a text, so that no version becomes a number, and maps are maps,
 * so that no name means something to JavaScript.
 */
export function readIndex(text: string): IndexAnswer {
  const limits = { ...yamlLimits, maxBytes: readLimits.indexBytes, maxTokens: readLimits.indexTokens }
  const problem = guardYaml(text, limits)
  if (problem) return { problem: problem.line ? `line ${problem.line}: ${problem.message}` : problem.message }
  try {
    const options = { schema: 'failsafe', mapAsMap: true, uniqueKeys: false, logLevel: 'error' } as const
    return entriesOf(parse(text, { ...options, maxAliasCount: yamlLimits.maxAliases }))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { problem: error.message.split('\n', 1)[0] ?? '' }
  }
}

function entriesOf(index: unknown): IndexAnswer {
  const charts = index instanceof Map ? index.get('entries') : undefined
  if (!(charts instanceof Map)) return { problem: 'It has no entries, so it is not the index of a Helm repository.' }
  const entries: IndexEntry[] = []
  const leftOut: LeftOut[] = []
  let versions = 0
  for (const [name, all] of charts) {
    const chart = String(name)
    const unreadable: Unreadable[] = []
    for (const version of Array.isArray(all) ? all : []) {
      versions += 1
      if (versions > readLimits.indexVersions)
        return { problem: `It has more than ${readLimits.indexVersions} versions.` }
      const entry = entryOf(chart, version)
      if ('why' in entry) unreadable.push(entry)
      else entries.push(entry)
    }
    const [first] = unreadable
    if (first) leftOut.push({ chart: quoted(chart), version: '', message: unusable(unreadable.length, first) })
  }
  return { entries, leftOut: leftOut.slice(0, readLimits.lines) }
}

interface Unreadable {
  version: string
  /** The end of a sentence. */
  why: string
}

const unusable = (count: number, { version, why }: Unreadable) =>
  `The index has ${count === 1 ? 'a version' : `${count} versions`} of it that cannot be used${version && `, such as ${version}`}: ${why}.`

function entryOf(chart: string, said: unknown): IndexEntry | Unreadable {
  if (!(said instanceof Map)) return { version: '', why: 'it is not a description of a version' }
  const [version, digest, urls, type] = [said.get('version'), said.get('digest'), said.get('urls'), said.get('type')]
  const refused = (why: string): Unreadable => ({ version: typeof version === 'string' ? quoted(version) : '', why })
  if (said.get('name') !== chart) return refused('it is named otherwise than its chart')
  if (!isName(chart)) return refused('charts have no such names')
  if (typeof version !== 'string' || !isVersion(version)) return refused('it states no version')
  const url: unknown = Array.isArray(urls) ? urls[0] : undefined
  if (typeof url !== 'string' || url === '' || url.length > 2000) return refused('it names no address for its package')
  const hex = typeof digest === 'string' && digest !== '' ? digest.toLowerCase().replace(/^sha256:/, '') : null
  if (hex !== null && !/^[0-9a-f]{64}$/.test(hex)) return refused('its digest is not one of SHA-256')
  return { chart, version, digest: hex, url, isLibrary: type === 'library' }
}

const isName = (text: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)
const isVersion = (text: string) => /^[0-9A-Za-z.+_-]{1,100}$/.test(text)
