import { QueryError } from '../promql/expression.ts'
import { labelsOf, NAME } from '../promql/labels.ts'
import { wholePattern } from '../promql/matching.ts'
import type { Series } from './value.ts'

function checkName(name: string | undefined): string {
  if (name !== undefined && name !== '') return name
  throw new QueryError(`invalid destination label name ${JSON.stringify(name ?? '')}`)
}

function withLabel(series: Series, name: string, value: string): Series {
  const labels = labelsOf([...[...series.labels].filter(([known]) => known !== name), [name, value]])
  return { ...series, labels, nameless: name === NAME ? false : series.nameless }
}

/** `label_replace`: writes a label where a pattern matches the whole of another one. */
export function labelReplace(
  series: readonly Series[],
  [target, replacement = '', source = '', pattern = '']: string[],
) {
  const name = checkName(target)
  const expression = wholePattern(pattern)
  return series.map((one) => {
    const matcher = expression.matcher(one.labels.get(source) ?? '')
    if (!matcher.matches()) return one
    const group = (reference: string): string => {
      if (/^\d+$/.test(reference)) {
        return Number(reference) <= matcher.groupCount() ? (matcher.group(Number(reference)) ?? '') : ''
      }
      return reference in expression.namedGroups() ? (matcher.group(reference) ?? '') : ''
    }
    const value = replacement.replace(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, plain?: string, braced?: string) => {
      return whole === '$$' ? '$' : group(plain ?? braced ?? '')
    })
    return withLabel(one, name, value)
  })
}

/** `label_join`: writes a label out of several others. */
export function labelJoin(series: readonly Series[], [target, separator = '', ...sources]: string[]): Series[] {
  const name = checkName(target)
  return series.map((one) =>
    withLabel(one, name, sources.map((source) => one.labels.get(source) ?? '').join(separator)),
  )
}
