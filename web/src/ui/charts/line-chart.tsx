import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { classNames } from '../marks/class-names.ts'
import { shortDate } from '../text/format-relative.ts'
import styles from './line-chart.module.css'
import { pathsOf, topOf } from './scale.ts'

/** Looks of a line: filled for what is measured, dashed for what it is compared with. */
type LineLook = 'filled' | 'dashed' | 'dotted'
export interface ChartLine {
  name: string
  look: LineLook
  values: readonly (number | null)[]
}
interface Mark {
  key: string
  /** Milliseconds since 1970. */
  at: number
  /** A link or a button of 24 pixels. */
  content: ReactNode
}
interface Props {
  label: string
  /** Moment of each point, in milliseconds since 1970. */
  times: readonly number[]
  lines: readonly ChartLine[]
  marks?: readonly Mark[]
  format: (value: number) => string
  /** 1024 where values are bytes. */
  thousand?: 1000 | 1024
}

/** Lines over time. The pointer and the arrow keys choose a moment, whose values stand in the legend. */
export function LineChart({ label, times, lines, marks = [], format, thousand }: Props) {
  const [chosen, setChosen] = useState<number>()
  const last = times.length - 1
  const newest = Math.max(0, lines[0]?.values.findLastIndex((value) => value !== null) ?? last)
  const at = Math.min(chosen ?? newest, last)
  const top = topOf(
    lines.flatMap(({ values }) => values.filter((value) => value !== null)),
    thousand,
  )
  const time = shortDate(new Date(times[at] ?? 0).toISOString())
  const shownAt = ({ values }: ChartLine) => (values[at] == null ? '–' : format(values[at]))
  const words = [time, ...lines.map((line) => `${line.name} ${shownAt(line)}`)].join(', ')
  const byPointer = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setChosen(Math.max(0, Math.min(last, Math.round(((event.clientX - left) / width) * last))))
  }
  const byKey = (event: KeyboardEvent) => {
    const next = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[
      event.key
    ]
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, next)))
  }
  return (
    <div className={styles.chart}>
      {/* Time runs from left to right in every language. */}
      <div className={styles.frame} dir="ltr">
        {marks.length > 0 && (
          <div className={styles.marks}>
            {marks.map(({ key, at: moment, content }) => (
              <span key={key} className={styles.mark} style={placeOf(moment, times)}>
                {content}
              </span>
            ))}
          </div>
        )}
        <div
          className={styles.plot}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={at}
          aria-valuetext={words}
          onKeyDown={byKey}
          onPointerMove={byPointer}
          onPointerDown={byPointer}
          onPointerLeave={() => setChosen(undefined)}
        >
          <Drawing lines={lines} top={top} />
          <bdi className={styles.top}>{format(top)}</bdi>
          {marks.map(({ key, at: moment }) => (
            <span key={key} className={styles.moment} style={placeOf(moment, times)} />
          ))}
          {chosen !== undefined && <span className={styles.cursor} style={placeOf(times[at] ?? 0, times)} />}
        </div>
        <div className={styles.axis} aria-hidden="true">
          {[times[0], times[last]].map((moment) => (
            <bdi key={moment}>{shortDate(new Date(moment ?? 0).toISOString())}</bdi>
          ))}
        </div>
      </div>
      <ul className={styles.legend}>
        {lines.map((line) => (
          <li key={line.name}>
            <span className={classNames(styles.key, styles[line.look])} aria-hidden="true" /> {line.name}{' '}
            <bdi className={styles.value}>{shownAt(line)}</bdi>
          </li>
        ))}
        <li className={styles.when}>
          <bdi>{time}</bdi>
        </li>
      </ul>
    </div>
  )
}

function Drawing({ lines, top }: { lines: readonly ChartLine[]; top: number }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
      {[0, 50, 100].map((y) => (
        <path key={y} className={styles.grid} d={`M0 ${y}H1000`} />
      ))}
      {lines.map(({ name, look, values }) => {
        const { line, area } = pathsOf(values, top)
        return (
          <g key={name} className={styles[look]}>
            {look === 'filled' && <path className={styles.area} d={area} />}
            <path className={styles.line} d={line} />
          </g>
        )
      })}
    </svg>
  )
}

function placeOf(moment: number, times: readonly number[]): CSSProperties {
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const share = last === first ? 0 : (moment - first) / (last - first)
  return { insetInlineStart: `${Math.max(0, Math.min(1, share)) * 100}%` }
}
