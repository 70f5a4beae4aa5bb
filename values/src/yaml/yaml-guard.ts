import { CST, Lexer } from 'yaml'

/** How much YAML is read at all. Every reader of YAML that came from outside holds to such limits. */
export interface YamlLimits {
  maxBytes: number
  maxDepth: number
  maxAliases: number
  /** Parts that a text is made of; past this it is made of punctuation and only costs time. */
  maxTokens: number
}
/** A large chart's values have some 40,000 parts. */
export const yamlLimits: YamlLimits = { maxBytes: 512 * 1024, maxDepth: 64, maxAliases: 100, maxTokens: 200_000 }

/** Why a text is not read as YAML; `line` counts from 1. */
export interface YamlProblem {
  kind: 'too-large' | 'invalid'
  message: string
  line?: number
}

// The lexer calls itself once for each indicator, tag or anchor of a run, so runs are bounded before it sees them.
const maxRun = 256

/**
 * Looks through a text without building anything from it, and stops at the first limit it passes. A text that
 * passes can be parsed in a bounded time and stack.
 */
export function guardYaml(text: string, limits: YamlLimits = yamlLimits): YamlProblem | undefined {
  if (text.length > limits.maxBytes || new TextEncoder().encode(text).length > limits.maxBytes) {
    return { kind: 'too-large', message: `The YAML is larger than ${Math.floor(limits.maxBytes / 1024)} KiB.` }
  }
  return longRun(text) ?? deepOrAliased(text, limits)
}

function longRun(text: string): YamlProblem | undefined {
  let line = 1
  let run = 0
  let wordStart = -1
  for (let at = 0; at <= text.length; at += 1) {
    const char = at < text.length ? text.charCodeAt(at) : 10
    if (char === 0) return { kind: 'invalid', message: 'There is a NUL character in it.', line }
    if (isStrangeBreak(char, text.charCodeAt(at + 1)))
      return { kind: 'invalid', message: 'There is a line break in it that is neither LF nor CRLF.', line }
    const isBreak = char === 10 || char === 32 || char === 9 || char === 13
    if (!isBreak) {
      if (wordStart < 0) wordStart = at
      continue
    }
    if (wordStart >= 0) {
      run = isIndicator(text, wordStart, at) ? run + 1 : 0
      if (run > maxRun) return { kind: 'invalid', message: 'It is nested too deeply on one line.', line }
      wordStart = -1
    }
    if (char === 10) {
      line += 1
      run = 0
    }
  }
  return undefined
}

/** CR alone, NEL, LS and PS begin a new line for Helm and not for the parser here: a comment could hide values in it. */
function isStrangeBreak(char: number, next: number): boolean {
  return (char === 13 && next !== 10) || char === 0x85 || char === 0x2028 || char === 0x2029
}

function isIndicator(text: string, from: number, to: number): boolean {
  const first = text[from]
  if (first === '!' || first === '&') return true
  return to - from === 1 && (first === '-' || first === '?' || first === ':')
}

function deepOrAliased(text: string, limits: YamlLimits): YamlProblem | undefined {
  const nesting = createNesting()
  let aliases = 0
  let tokens = 0
  let isScalarNext = false
  for (const source of new Lexer().lex(text)) {
    const type: string | null = isScalarNext ? 'scalar-text' : CST.tokenType(source)
    isScalarNext = type === 'scalar'
    if (type === 'alias') aliases += 1
    tokens += 1
    if (tokens > limits.maxTokens) return { kind: 'invalid', message: 'It has too many parts.', line: nesting.line() }
    const depth = nesting.take(type, source)
    if (depth > limits.maxDepth) {
      return {
        kind: 'invalid',
        message: `It is nested more than ${limits.maxDepth} levels deep.`,
        line: nesting.line(),
      }
    }
    if (aliases > limits.maxAliases) {
      return { kind: 'invalid', message: `It has more than ${limits.maxAliases} aliases.`, line: nesting.line() }
    }
  }
  return undefined
}

/** Follows tokens and tells how deep they are: block levels by their columns, flow levels by their brackets. */
function createNesting() {
  const columns: number[] = []
  let flow = 0
  let column = 0
  let line = 1
  let isPrefix = true

  function enter(level: number) {
    while (columns.length > 0 && (columns.at(-1) as number) > level) columns.pop()
    if (columns.at(-1) !== level) columns.push(level)
  }

  function place(type: string | null) {
    if (type === 'flow-map-start' || type === 'flow-seq-start') {
      if (isPrefix && flow === 0) enter(column)
      flow += 1
      isPrefix = false
    } else if (type === 'flow-map-end' || type === 'flow-seq-end') flow = Math.max(0, flow - 1)
    else if (type === 'newline') isPrefix ||= flow === 0
    else if (flow === 0 && isPrefix && !zeroDepth.has(type ?? '')) {
      // A list may stand at the column of the key it belongs to, and is one level deeper all the same.
      enter(type === 'seq-item-ind' ? column + 0.5 : column)
      isPrefix = stayingPrefix.has(type ?? '')
    }
  }

  return {
    line: () => line,
    take(type: string | null, source: string): number {
      place(type)
      if (!controls.has(type ?? '')) advance(source)
      return columns.length + flow
    },
  }

  function advance(source: string) {
    const newline = source.lastIndexOf('\n')
    if (newline < 0) {
      column += source.length
      return
    }
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) line += 1
    column = source.length - newline - 1
    if (flow === 0) isPrefix = true
  }
}

const controls = new Set(['byte-order-mark', 'doc-mode', 'flow-error-end', 'scalar'])
const zeroDepth = new Set([...controls, 'space', 'comment', 'doc-start', 'doc-end', 'directive-line', 'comma'])
const stayingPrefix = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind', 'anchor', 'tag'])
