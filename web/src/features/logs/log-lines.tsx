import { type CSSProperties, memo, type RefObject } from 'react'
import { classNames } from '../../ui/marks/class-names.ts'
import { tagHue } from '../../ui/marks/derived-color.ts'
import styles from './logs.module.css'
import type { ShownLine } from './shown-log.ts'

interface Props {
  box: RefObject<HTMLElement | null>
  lines: readonly ShownLine[]
  isWrapped: boolean
  /** Left out at the beginning of the pods' names, which have it in common. */
  prefix: string
  /** Stands there while there are no lines. */
  empty: string
}

/** Lines of several containers: when, where and what. */
export function LogLines({ box, lines, isWrapped, prefix, empty }: Props) {
  return (
    <section
      ref={box}
      className={classNames(styles.lines, !isWrapped && styles.unwrapped)}
      dir="ltr"
      role="log"
      aria-live="off"
      aria-label="Logs"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      {lines.length === 0 ? (
        <p className={styles.empty}>{empty}</p>
      ) : (
        lines.map((line) => <Line key={line.id} line={line} prefix={prefix} />)
      )}
    </section>
  )
}

const Line = memo(function Line({ line, prefix }: { line: ShownLine; prefix: string }) {
  const { at, pod, container, text, level, isNote } = line
  const hue = { '--hue': tagHue(pod) } as CSSProperties
  return (
    <div className={styles.line} data-level={level}>
      <time className={styles.time} dateTime={at ?? undefined} title={at ?? undefined}>
        {at === null ? '' : clockOf(at)}
      </time>
      <span className={styles.place} style={hue} title={`${pod} · ${container}`}>
        {pod.startsWith(prefix) ? pod.slice(prefix.length) : pod}
      </span>
      <span className={classNames(styles.text, isNote && styles.note)}>
        {level !== 'other' && <span className="unseen">{level}: </span>}
        {text}
      </span>
    </div>
  )
})

/** `14:03:07.123` in the time of the reader. */
function clockOf(at: string): string {
  const time = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const millis = String(time.getMilliseconds()).padStart(3, '0')
  return `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${millis}`
}
