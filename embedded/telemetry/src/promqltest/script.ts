import type { Samples } from '../evaluation/value.ts'
import { markStale } from '../evaluation/value.ts'
import type { Labels } from '../promql/expression.ts'
import { labelsOf, NAME } from '../promql/labels.ts'
import { numberOf } from '../promql/literals.ts'
import { parseQuery } from '../promql/parse.ts'

/** A value of a series in the notation of the tests; `undefined` where there is none. */
type Expected = number | 'stale' | undefined

export interface SeriesLine {
  labels: Labels
  values: Expected[]
}

export interface Evaluation {
  kind: 'eval'
  /** Line of the file, from 1. */
  line: number
  query: string
  range: { start: number; end: number; step: number } | undefined
  at: number
  fails: boolean
  ordered: boolean
  text: string | undefined
  expected: SeriesLine[]
  scalar: number | undefined
  /** Needs samples that are histograms themselves. */
  isNative: boolean
}

type Command = { kind: 'clear' } | { kind: 'load'; step: number; series: SeriesLine[] } | Evaluation

const ms = (text: string) => Math.round(numberOf(text) * 1000)

/** The commands of a test script. */
export function readScript(text: string): Command[] {
  const lines = text.split('\n').map((line) => line.trim())
  const commands: Command[] = []
  for (let at = 0; at < lines.length; ) {
    const head = lines[at] ?? ''
    if (head === '' || head.startsWith('#')) {
      at++
      continue
    }
    const block: string[] = []
    let next = at + 1
    for (; next < lines.length && (lines[next] ?? '') !== ''; next++) {
      if (/^(eval|load|clear)/.test(lines[next] ?? '')) break
      if (!lines[next]?.startsWith('#')) block.push(lines[next] ?? '')
    }
    commands.push(...command(head, block, at + 1))
    at = next
  }
  return commands
}

function command(head: string, block: string[], line: number): Command[] {
  if (head === 'clear') return [{ kind: 'clear' }]
  const load = /^load(?:_with_nhcb)?\s+(\S+)/.exec(head)
  if (load) {
    const series = block.filter((text) => !text.includes('{{')).map(readSeries)
    return [{ kind: 'load', step: ms(load[1] ?? ''), series }]
  }
  const instant = /^eval(\w*)\s+instant\s+(?:at\s+(\S+)\s+)?(.*)$/.exec(head)
  const range = /^eval(\w*)\s+range\s+from\s+(\S+)\s+to\s+(\S+)\s+step\s+(\S+)\s+(.*)$/.exec(head)
  const found = instant ?? range
  if (!found) throw new Error(`line ${line} is no command: ${head}`)
  return [evaluation({ found, isRange: !instant, block, line })]
}

function evaluation({
  found,
  isRange,
  block,
  line,
}: {
  found: RegExpExecArray
  isRange: boolean
  block: string[]
  line: number
}): Evaluation {
  const told = block.filter((text) => /^expect/.test(text))
  const rows = block.filter((text) => !/^expect/.test(text))
  const scalar = rows.length === 1 && /^[^{\s]+$/.test(rows[0] ?? '') ? readNumber(rows[0] ?? '') : undefined
  const text = told.map((one) => /^expect string\s+["`](.*)["`]$/.exec(one)?.[1]).find((one) => one !== undefined)
  const isNative = rows.some((row) => row.includes('{{'))
  return {
    kind: 'eval',
    line,
    query: found.at(-1) ?? '',
    range: isRange ? { start: ms(found[2] ?? ''), end: ms(found[3] ?? ''), step: ms(found[4] ?? '') } : undefined,
    at: isRange ? 0 : ms(found[2] ?? '0'),
    fails: found[1] === '_fail' || told.some((one) => one.startsWith('expect fail')),
    ordered: found[1] === '_ordered' || told.includes('expect ordered'),
    text,
    expected: scalar !== undefined || isNative ? [] : rows.map(readSeries),
    scalar,
    isNative,
  }
}

function readNumber(text: string): number | undefined {
  try {
    return numberOf(text)
  } catch {
    return undefined
  }
}

/** A series with its values, such as `up{job="a"} 1 2+1x3 _ stale`. */
function readSeries(text: string): SeriesLine {
  const [, name = '', , inside = '', values = ''] =
    /^([^\s{]*)(\{((?:[^"'`}]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)*)\})?\s*(.*)$/.exec(text) ?? []
  return {
    labels: readLabels(name, inside),
    values: values.trim() === '' ? [] : values.trim().split(/\s+/).flatMap(readValues),
  }
}

function readLabels(name: string, inside: string): Labels {
  if (name === '' && inside.trim() === '') return new Map()
  const filler = name === '' && !inside.includes('=') && inside.includes('"') ? '' : ', __filler__="x"'
  const selector = parseQuery(
    `${name}{${inside.replace(/,\s*$/, '')}${inside.trim() === '' ? '__filler__="x"' : filler}}`,
  )
  if (selector.kind !== 'selector') throw new Error(`${name}{${inside}} is no series`)
  const named = selector.matchers.filter(({ label }) => label !== '__filler__')
  return labelsOf(named.map(({ label, value }) => [label === '' ? NAME : label, value] as const))
}

function readValues(text: string): Expected[] {
  const blank = /^_(?:x(\d+))?$/.exec(text)
  if (blank) return new Array<Expected>(blank[1] === undefined ? 1 : Number(blank[1])).fill(undefined)
  if (text === 'stale') return ['stale']
  const sequence = /^([+-]?[^x+-]+(?:[eE][+-]?\d+)?)(?:([+-])([^x]+))?x(\d+)$/.exec(text)
  if (!sequence) return [numberOf(text)]
  const [, first = '', sign, step = '0', times = '0'] = sequence
  const by = numberOf(step) * (sign === '-' ? -1 : 1)
  const values: number[] = []
  for (let index = 0, value = numberOf(first); index <= Number(times); index++, value += by) values.push(value)
  return values
}

/** Samples of a line that is loaded, a step apart from zero on. */
export function samplesOf({ labels, values }: SeriesLine, step: number): Samples {
  const kept = values.flatMap((value, index) => (value === undefined ? [] : [{ value, time: index * step }]))
  const samples = { labels, times: new Float64Array(kept.length), values: new Float64Array(kept.length) }
  kept.forEach(({ value, time }, index) => {
    samples.times[index] = time
    if (value === 'stale') markStale(samples.values, index)
    else samples.values[index] = value
  })
  return samples
}
