import type { Diagnostic } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import { readAside } from './parse-in-worker.ts'

/** The problems of the text by line: a YAML error alone, else repeated keys and the server's findings. */
export async function problemsIn(doc: Text, findings: readonly ResultLine[]): Promise<Diagnostic[]> {
  const { problem, repeated } = await readAside(doc.toString())
  if (problem !== undefined) return [at(doc, problem.line, 'error', problem.message)]
  // Known here before the server says the same.
  const told = new Set(repeated.map(({ message }) => message))
  const others = findings.flatMap(({ line, message, resultType, provider }) =>
    line === undefined || resultType === 'ok' || told.has(message)
      ? []
      : [at(doc, line, resultType === 'info' ? 'info' : 'error', provider ? `${provider}: ${message}` : message)],
  )
  return [...repeated.map(({ line, message }) => at(doc, line, 'warning', message)), ...others]
}

function at(doc: Text, number: number | undefined, severity: Diagnostic['severity'], message: string): Diagnostic {
  const line = doc.line(Math.min(Math.max(number ?? 1, 1), doc.lines))
  const start = line.from + (/\S/.exec(line.text)?.index ?? 0)
  return { from: Math.min(start, line.to), to: line.to, severity, message }
}
