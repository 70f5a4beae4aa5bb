import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import { useState } from 'react'
import { IconButton } from '../../../ui/actions/button.tsx'
import { classNames } from '../../../ui/marks/class-names.ts'
import { useFollowTail } from '../../../ui/text/use-follow-tail.ts'
import { texts } from '../texts.ts'
import type { LogLine } from './progress.ts'
import styles from './progress-log.module.css'

const t = texts.log

interface Props {
  title: string
  /** The heading of the title below those of what is around it. */
  heading?: 'h2' | 'h3'
  lines: readonly LogLine[]
}

/** The lines of a task. Follows the tail until paused or scrolled back; can be searched, copied and kept as a file. */
export function ProgressLog({ title, heading: Heading = 'h3', lines }: Props) {
  const [search, setSearch] = useState('')
  const [copied, setCopied] = useState(false)
  const wanted = search.trim().toLowerCase()
  const shown = wanted === '' ? lines : lines.filter(({ message }) => message.toLowerCase().includes(wanted))
  const tail = useFollowTail<HTMLDivElement>(shown.at(-1)?.seq)
  return (
    <div className={styles.log}>
      <div className={styles.head}>
        <Heading>{title}</Heading>
        <input
          type="search"
          className={styles.search}
          aria-label={t.search}
          placeholder={t.placeholder}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <IconButton
          icon={tail.following ? IconPlayerPause : IconPlayerPlay}
          label={tail.following ? t.pause : t.follow}
          size={16}
          className={styles.tool}
          onClick={() => tail.follow(!tail.following)}
        />
        <IconButton
          icon={IconCopy}
          label={copied ? t.copied : t.copy}
          size={16}
          className={styles.tool}
          onClick={() => void navigator.clipboard.writeText(asText(lines)).then(() => setCopied(true))}
        />
        <IconButton
          icon={IconDownload}
          label={t.download}
          size={16}
          className={styles.tool}
          onClick={() => download(asText(lines))}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <div ref={tail.ref} className={styles.lines} dir="ltr" role="log" aria-label={title} tabIndex={0}>
        {shown.length === 0 && <span className={styles.none}>{wanted === '' ? t.none : t.noMatch}</span>}
        {shown.map((line) => (
          <div key={line.seq} className={classNames(styles.line, styles[line.level], line.timeout && styles.timeout)}>
            <time dateTime={line.at} className={styles.time}>
              {clockOf(line.at)}
            </time>
            <span>{line.message}</span>
          </div>
        ))}
      </div>
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
