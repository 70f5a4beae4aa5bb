/** A selector of PromQL with exactly these labels. Values are quoted, so that no text of theirs is read as PromQL. */
export function selectorOf(metric: string, labels: Readonly<Record<string, string>>): string {
  const matchers = Object.entries(labels).map(([name, value]) => `${name}=${quoted(value)}`)
  return `${metric}{${matchers.join(',')}}`
}

/** JSON escapes as PromQL's strings, which are Go's, apart from surrogates that stand alone. */
const quoted = (value: string) => JSON.stringify(value.toWellFormed())
