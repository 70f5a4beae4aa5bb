import type { MessageLevel } from '@quayside/contract/deployments/endpoints'
import { cleanLine } from '../../../../adapters/helm/lines.ts'
import type { Journal } from '../../ledger/journal.ts'
import { chartMark, leftOut } from '../../releases/chart-notes.ts'
import { notShown } from '../../secrets/run-secrets.ts'

/** The output of one run of Helm, on its way into the log. */
interface HelmOutput {
  line(text: string, from: 'stdout' | 'stderr'): void
  /** Called when the release's secrets are known: lines that waited for that are logged. */
  release(): void
  /** Nothing comes any more; says how much was left out. */
  end(): void
}

const mostLines = 1000
const mostBytes = 256 * 1024
/** How many lines of Helm's own reason for ending are told beyond that. */
const mostReasons = 20

/** Lines of the Kubernetes client library from discovery, before any chart is rendered: they hold no secrets. */
const beforeCharts = /^[EWI]\d{4} [\d:.]+ +\d+ memcache\.go:\d+\]/

/** Said by Helm at the end of a rollback and an upgrade; the end of the action says more. */
const rejoicing = /Happy Helming!/

/**
 * Helm prints a release when it is made, with the notes of the chart last; these are told from the release itself, at the
 * end of the action. On the other stream it says at any time what hooks print and why objects are refused: as long as
 * it is not known what the chart keeps secret, such a line waits.
 */
export function createHelmOutput(
  journal: Pick<Journal, 'say' | 'hold' | 'release'>,
  hide: (text: string) => string,
  { isKnown, hooksPrint, onResult }: { isKnown: boolean; hooksPrint: () => boolean; onResult: () => void },
): HelmOutput {
  let known = isKnown
  let isNotes = false
  let isToldNotShown = false
  let said = { lines: 0, bytes: 0 }
  let left = { lines: 0, bytes: 0 }
  let reasons = 0

  function take(text: string): boolean {
    const bytes = Buffer.byteLength(text)
    const isReason = text.startsWith('Error: ') && reasons < mostReasons
    if (said.lines >= mostLines || said.bytes + bytes > mostBytes) {
      if (!isReason) {
        left = { lines: left.lines + 1, bytes: left.bytes + bytes }
        return false
      }
      reasons += 1
    }
    said = { lines: said.lines + 1, bytes: said.bytes + bytes }
    return true
  }

  /** Many lines of which nothing may be shown are one. */
  function say(text: string) {
    const message = hide(text)
    if (message === notShown && isToldNotShown) return
    isToldNotShown ||= message === notShown
    const spoken = hooksPrint() ? spokenBy(message) : []
    for (const line of spoken) journal.say('helm', `${chartMark}${hide(cleanLine(line))}`, 'debug')
    if (spoken.length === 0) journal.say('helm', message, levelOf(text))
  }

  return {
    line(text, from) {
      if (from === 'stdout') onResult()
      isNotes ||= from === 'stdout' && text === 'NOTES:'
      if (text.trim() === '' || rejoicing.test(text) || (isNotes && from === 'stdout') || !take(text)) return
      if (known || from === 'stdout' || beforeCharts.test(text)) say(text)
      else journal.hold(() => say(text))
    },
    release() {
      known = true
      journal.release()
    },
    end() {
      if (left.lines > 0) journal.say('helm', leftOut(left.lines, left.bytes, 'of what Helm wrote'), 'info')
      left = { lines: 0, bytes: 0 }
    },
  }
}

/** The lines of a hook, which Helm says all in one. */
function spokenBy(text: string): string[] {
  const [, quoted = ''] = /^level=INFO msg="(.*?)["…]?$/.exec(text) ?? []
  const plain = quoted.replace(/\\([nt"\\])/g, (_, sign: string) => ({ n: '\n', t: '\t' })[sign] ?? sign)
  return plain.split('\n').filter((line) => line.trim() !== '')
}

function levelOf(line: string): MessageLevel {
  // Helm repeats each warning that matters as an error.
  if (/level=WARN/.test(line)) return 'debug'
  if (/^Error:|level=ERROR|^E\d{4} |deadline exceeded|timed out/i.test(line)) return 'error'
  return /level=(DEBUG|INFO)|^[IW]\d{4} |^(NAME|LAST DEPLOYED|NAMESPACE|STATUS|REVISION|DESCRIPTION|TEST SUITE):/i.test(
    line,
  )
    ? 'debug'
    : 'info'
}
