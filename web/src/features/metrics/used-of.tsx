import { Meter } from '../../ui/states/meter.tsx'

interface Props {
  label: string
  /** Null: not measured. */
  usage: number | null
  /** Null: there is nothing to measure it against. */
  most: number | null
  format: (value: number) => string
  /** Follows the figure that it is measured against, as in "requested". */
  word?: string
}

/** The use of something beside what it could use at most. */
export function UsedOf({ label, usage, most, format, word }: Props) {
  if (usage === null) return '–'
  if (most === null) return <bdi>{format(usage)}</bdi>
  const text = `${format(usage)} of ${format(most)}${word === undefined ? '' : ` ${word}`}`
  return <Meter label={label} used={usage} of={most} text={text} />
}
