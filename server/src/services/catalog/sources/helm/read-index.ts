import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { guardYaml, yamlLimits } from '@quayside/values/yaml/yaml-guard'
import { parse } from 'yaml'
import { readLimits } from '../limits.ts'

/** Facts about a version that are read from an index. */
export interface IndexEntry {
  chart: string
  version: string
  /** Hexadecimal SHA-256, in lower case; null where the index states none. */
  digest: string | null
  url: string
  isLibrary: boolean
}

type IndexAnswer = { entries: IndexEntry[]; unreadable: number } | { problem: string }

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
    if (error instanceof YamlRefused || error instanceof Error)
      return { problem: error.message.split('\n', 1)[0] ?? '' }
    throw error
  }
}

function entriesOf(index: unknown): IndexAnswer {
  const charts = index instanceof Map ? index.get('entries') : undefined
  if (!(charts instanceof Map)) return { problem: 'It has no entries, so it is not the index of a Helm repository.' }
  const entries: IndexEntry[] = []
  let unreadable = 0
  for (const [chart, versions] of charts) {
    for (const version of Array.isArray(versions) ? versions : []) {
      if (entries.length + unreadable >= readLimits.indexVersions)
        return { problem: `It has more than ${readLimits.indexVersions} versions.` }
      const entry = entryOf(chart, version)
      if (entry) entries.push(entry)
      else unreadable += 1
    }
  }
  return { entries, unreadable }
}

function entryOf(chart: unknown, said: unknown): IndexEntry | undefined {
  if (!(said instanceof Map) || typeof chart !== 'string' || !isName(chart)) return undefined
  const [version, digest, urls, type] = [said.get('version'), said.get('digest'), said.get('urls'), said.get('type')]
  const url: unknown = Array.isArray(urls) ? urls[0] : undefined
  if (said.get('name') !== chart || typeof version !== 'string' || !isVersion(version)) return undefined
  if (typeof url !== 'string' || url === '' || url.length > 2000) return undefined
  const hex = typeof digest === 'string' && digest !== '' ? digest.toLowerCase().replace(/^sha256:/, '') : null
  if (hex !== null && !/^[0-9a-f]{64}$/.test(hex)) return undefined
  return { chart, version, digest: hex, url, isLibrary: type === 'library' }
}

const isName = (text: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text)
const isVersion = (text: string) => /^[0-9A-Za-z.+_-]{1,100}$/.test(text)
