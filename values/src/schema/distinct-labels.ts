import { sameValue } from '../yaml/plain-values.ts'

interface Option {
  value: unknown
  label: string
}

/** Options that can be told apart: `1` and the text `"1"`, and two of the same title by what they stand for. */
export function distinctOptions(options: Option[]): Option[] {
  if (!hasRepeated(options)) return options
  const single = options.filter(({ value }, at) => options.findIndex((one) => sameValue(one.value, value)) === at)
  const labels = single.map(({ label }) => label)
  return single.map(({ value, label }) => {
    if (!isRepeated(labels, label)) return { value, label }
    const plain = String(value)
    if (label !== plain) return { value, label: `${label} (${JSON.stringify(value)})` }
    return { value, label: typeof value === 'string' ? JSON.stringify(value) : plain }
  })
}

/** Alternatives of the same name are numbered. */
export function distinctChoices<T extends { label: string }>(choices: T[]): T[] {
  if (!hasRepeated(choices)) return choices
  const labels = choices.map(({ label }) => label)
  return choices.map((choice, at) => {
    const before = labels.slice(0, at + 1).filter((label) => label === choice.label).length
    return isRepeated(labels, choice.label) ? { ...choice, label: `${choice.label} ${before}` } : choice
  })
}

function hasRepeated(all: readonly { label: string }[]): boolean {
  return new Set(all.map(({ label }) => label)).size < all.length
}

function isRepeated(labels: readonly string[], label: string): boolean {
  return labels.indexOf(label) !== labels.lastIndexOf(label)
}
