import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import fc from 'fast-check'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../../platform/logging/logger.ts'
import { createHelm } from './create-helm.ts'
import type { Helm } from './helm.ts'
import { ManifestUnreadableError, printAsRead, readManifest } from './manifest.ts'

let folder: string
let helm: Helm
let chartFile: string

/** Renders each text of its values as Helm reads it: JSON in base64, a line for each. */
const reader = `apiVersion: v1
kind: ConfigMap
metadata: {name: read}
data:
{{- range $i, $text := .Values.texts }}
  read{{ $i }}: {{ fromYaml $text | toJson | b64enc }}
{{- end }}
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helm-reads-'))
  const config = { helmBin: undefined, dataDir: folder }
  helm = await createHelm({ config, log: createLogger('silent'), searchPath: '' })
  chartFile = join(folder, 'reader.tgz')
  const archive = pack()
  archive.entry({ name: 'reader/Chart.yaml' }, 'apiVersion: v2\nname: reader\nversion: 1.0.0\n')
  archive.entry({ name: 'reader/templates/map.yaml' }, reader)
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(chartFile))
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

async function readByHelm(texts: readonly string[]): Promise<unknown[]> {
  const values = JSON.stringify({ texts })
  const { code, stdout, stderr } = await helm.template({ chartFile, values, releaseName: 'reads', namespace: 'team' })
  if (code !== 0) throw new Error(stderr)
  return Array.from(stdout.matchAll(/^ {2}read\d+: (.*)$/gm), ([, read = '']) =>
    JSON.parse(Buffer.from(read, 'base64').toString()),
  )
}

const letters = [...'0123456789xobeE+-_.:~ynYNtruefalsoOinNlI<=*&!|>@%#{}[],\'" \t\n', '\u0085', '\u2028', '\ufeff']
const scalar = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 7 })
const cramped = ['{42:}', '{a:,b: 1}', '[a:]', '{a:[1]}', '{? a:}', '{a:b}', '{"a":1}', '{a: {b:}}']
const known = [
  ...cramped,
  '0644',
  '0o644',
  '0b11',
  '0x1F',
  '1_000',
  '.5',
  '5.',
  '1e3',
  '22:22',
  '1:30:00',
  '2001-01-01',
  '=',
]
const words = [
  'y',
  'n',
  'yes',
  'No',
  'on',
  'OFF',
  'true',
  'null',
  '~',
  '.inf',
  '-.INF',
  '.nan',
  '+12',
  '-0',
  '09',
  '0_7',
]

it('is read as Helm reads it, and so is what is printed of it', async () => {
  const written = [...known, ...words, ...fc.sample(scalar, { numRuns: 1500 })]
  const texts = written.flatMap((text) => [
    `kind: Odd\nmetadata: {name: a}\nvalue: ${text}\n`,
    `kind: Odd\nmetadata: {name: a}\nunder:\n  ${text}: 1\n`,
  ])
  const read = texts.flatMap((text) => readOrNot(text) ?? [])
  expect(read.length).toBeGreaterThan(texts.length / 4)
  const asWritten = await readByHelm(read.map(({ text }) => text))
  const asPrinted = await readByHelm(read.map(({ text }) => printAsRead(text).replace(/^---\n/, '')))
  // Text that Helm refuses harms nobody, and what is printed it must be able to read.
  const isRefused = (index: number) => Object.hasOwn(Object(asWritten[index]), 'Error')
  expect(read.filter(({ json }, index) => !isRefused(index) && json !== JSON.stringify(asWritten[index]))).toEqual([])
  expect(read.filter(({ json }, index) => json !== JSON.stringify(asPrinted[index]))).toEqual([])
}, 60_000)

/** The one object of a text, its fields in order; undefined for one that the reader refuses or leaves to Helm. */
function readOrNot(text: string): { text: string; json: string } | undefined {
  try {
    const [one, ...more] = readManifest(text)
    if (!one || more.length > 0 || one.unreadable) return undefined
    return { text, json: JSON.stringify(inOrder(one.body)) }
  } catch (error) {
    if (error instanceof ManifestUnreadableError) return undefined
    throw error
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([key, inner]) => [key, inOrder(inner)]))
}
