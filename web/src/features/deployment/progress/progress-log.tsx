import type { ResultLine } from '@quayside/contract/deployment'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import type { LogLine } from './progress.ts'
import styles from './progress-log.module.css'

interface Props {
  title: string
  lines: readonly LogLine[]
  summary: string | undefined
  results: readonly ResultLine[]
}

/** The lines of a task. Follows the tail until paused; can be searched, copied and kept as a file. */
export function ProgressLog({ title, lines, summary, results }: Props) {
  const [paused, setPaused] = useState(false)
  const [search, setSearch] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const wanted = search.trim().toLowerCase()
  const shown = wanted === '' ? lines : lines.filter(({ message }) => message.toLowerCase().includes(wanted))
  const newest = lines.at(-1)?.seq

  useEffect(() => {
    if (!paused && newest !== undefined) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [paused, newest])

  return (
    <div className={styles.log}>
      <div className={styles.head}>
        <h3>{title}</h3>
        <input
          type="search"
          className={styles.search}
          aria-label="Search the log"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <IconButton
          icon={paused ? IconPlayerPlay : IconPlayerPause}
          label={paused ? 'Follow the end' : 'Pause'}
          size={16}
          onClick={() => setPaused(!paused)}
        />
        <IconButton
          icon={IconCopy}
          label="Copy the log"
          size={16}
          onClick={() => void navigator.clipboard.writeText(asText(lines))}
        />
        <IconButton icon={IconDownload} label="Download the log" size={16} onClick={() => download(asText(lines))} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <div ref={box} className={styles.lines} dir="ltr" role="log" aria-label={title} tabIndex={0}>
        {shown.map((line) => (
          <div key={line.seq} className={classNames(styles.line, styles[line.level], line.timeout && styles.timeout)}>
            <time dateTime={line.at} className={styles.time}>
              {clockOf(line.at)}
            </time>
            <span>{line.message}</span>
          </div>
        ))}
      </div>
      {summary !== undefined && (
        <div className={styles.summary}>
          <strong>{summary}</strong>
          {results.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: result lines have no identity but their order.
            <p key={index}>
              <bdi>{line.message}</bdi>
            </p>
          ))}
        </div>
      )}
    </div>
  )
}

function clockOf(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB')
}

function asText(lines: readonly LogLine[]): string {
  return lines.map(({ at, level, message }) => `${at} ${level} ${message}`).join('\n')
}

function download(text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  link.download = 'deployment.log'
  link.click()
  URL.revokeObjectURL(link.href)
}
