import { mostPastLines } from '@quayside/contract/clusters/log-entry'
import { readLog, type WantedLog } from '../../api/logs.ts'
import type { Api } from '../../lib/api/api.ts'
import { secondsOf } from '../../lib/durations.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Button } from '../../ui/actions/button.tsx'
import { DownloadButton } from '../../ui/actions/download-button.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { FilterChip, ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { AlertNote } from '../../ui/states/alert-note.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { useFollowTail } from '../../ui/text/use-follow-tail.ts'
import { LogLines } from './log-lines.tsx'
import styles from './logs.module.css'
import { asText, emptyLog, type ShownLine, type ShownLog, withEntries } from './shown-log.ts'
import { useLog } from './use-log.ts'

const levels = [
  { value: 'warning', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors' },
]
const times = [
  { value: '5m', label: 'Last 5 minutes' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
]
/** Lines of each container to begin with. */
const tailLines = 500
/** The same where only some of them are wanted: as many as the server reads. */
const mostLines = mostPastLines

interface Props {
  of: WantedLog['of']
  /** The file's name for a download. */
  fileName: string
  /** Left out at the beginning of the pods' names. */
  prefix?: string
  /** Chooses a part of it. */
  part: { key: 'pod' | 'app'; label: string; options: readonly { value: string; label: string }[] }
}

/** The logs of many pods as one, live. */
export function LogView({ of, fileName, prefix = '', part }: Props) {
  const [{ q = '', level, time, wrap, [part.key]: chosen }, setUrl] = useUrlState()
  const { api } = usePortal()
  const search = useDebounced(q.trim())
  const sinceSeconds = time === undefined ? undefined : secondsOf(time, 3600)
  const isNarrowed = search !== '' || sinceSeconds !== undefined
  const wanted: WantedLog = {
    ...{ of, follow: true, tailLines: isNarrowed ? mostLines : tailLines, sinceSeconds },
    ...{ search: search === '' ? undefined : search, [part.key]: chosen },
  }
  const { log, error, isLost, retry } = useLog(wanted)
  const lines = atLevel(log.lines, level)
  const tail = useFollowTail<HTMLElement>(log.count)
  return (
    <div className={styles.stack}>
      <div className={styles.tools}>
        <SearchField label="Text in the logs" value={q} onChange={(text) => setUrl({ q: text })} />
        <FilterChip
          label={part.label}
          value={chosen}
          options={part.options}
          onChange={(value) => setUrl({ [part.key]: value })}
        />
        <FilterChip label="Level" value={level} options={levels} onChange={(value) => setUrl({ level: value })} />
        <FilterChip label="Time" value={time} options={times} onChange={(value) => setUrl({ time: value })} />
        <ToggleChip
          label="Wrap lines"
          active={wrap !== 'off'}
          onToggle={(active) => setUrl({ wrap: active ? '' : 'off' })}
        />
        <DownloadButton
          name={fileName}
          load={() => wholeLog(api, { ...wanted, follow: false, tailLines: mostLines }, level)}
        >
          Download
        </DownloadButton>
      </div>
      {error !== null && <ErrorPanel error={error} name="Logs" onRetry={retry} />}
      <Notices isLost={isLost} log={log} part={part.label} />
      <div className={styles.frame}>
        <LogLines
          box={tail.ref}
          lines={lines}
          isWrapped={wrap !== 'off'}
          prefix={prefix}
          empty={emptyText(log.isCaughtUp, isNarrowed || level !== undefined || chosen !== undefined)}
        />
        {!tail.following && (
          <div className={styles.newest}>
            <Button small onClick={() => tail.follow(true)}>
              Newest lines
            </Button>
          </div>
        )}
      </div>
      <p className={styles.count}>{countText(lines.length, log.count)}</p>
    </div>
  )
}

function Notices({ isLost, log, part }: { isLost: boolean; log: ShownLog; part: string }) {
  const { leftOut, mostApps } = log
  return (
    <>
      {isLost && (
        <AlertNote tone="warn" title="No log arrives" action={null}>
          <p>The cluster or the portal gives no answer. It is tried again every two seconds.</p>
        </AlertNote>
      )}
      {mostApps !== undefined && (
        <AlertNote tone="warn" title="Not all apps are read" action={null}>
          <p>The first {mostApps} apps of the space are read. The logs of the others are on their own pages.</p>
        </AlertNote>
      )}
      {leftOut > 0 && (
        <AlertNote tone="warn" title="Not all containers are read" action={null}>
          <p>{leftOutText(leftOut, part)}</p>
        </AlertNote>
      )}
    </>
  )
}

function atLevel(lines: readonly ShownLine[], level: string | undefined): readonly ShownLine[] {
  if (level === undefined) return lines
  return lines.filter((line) => line.level === 'error' || (level === 'warning' && line.level === 'warning'))
}

async function wholeLog(api: Api, wanted: WantedLog, level: string | undefined): Promise<string> {
  let log = emptyLog
  const texts: string[] = []
  for await (const entries of readLog(api, wanted, new AbortController().signal)) {
    log = withEntries({ ...log, lines: [] }, entries)
    texts.push(asText(atLevel(log.lines, level)))
  }
  if (!log.isCaughtUp) throw new Error('The log broke off before its end. Try again.')
  return texts.join('')
}

function emptyText(isCaughtUp: boolean, isFiltered: boolean): string {
  if (!isCaughtUp) return 'Reading the logs …'
  return isFiltered ? 'No line matches. New ones appear here.' : 'No lines yet. New ones appear here.'
}

function leftOutText(count: number, part: string): string {
  const those = count === 1 ? 'One more container runs' : `${count} more containers run`
  return `${those} than can be followed at once. Choose ${part === 'App' ? 'an app' : 'a pod'} to read its containers.`
}

function countText(shown: number, all: number): string {
  const lines = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`
  return shown === all ? lines(all) : `${lines(shown)} shown of ${all.toLocaleString('en')} read`
}
