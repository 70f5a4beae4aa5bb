import type { Marker } from '@quayside/contract/metrics/endpoints'
import IconAdjustments from '@tabler/icons-react/dist/esm/icons/IconAdjustments.mjs'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTool from '@tabler/icons-react/dist/esm/icons/IconTool.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link } from '@tanstack/react-router'
import { classNames } from '../../ui/marks/class-names.ts'
import { shortDate } from '../../ui/text/format-relative.ts'
import styles from './metrics.module.css'

const kinds: Partial<Record<Marker['kind'], { icon: typeof IconPlus; word: string }>> = {
  Deploy: { icon: IconPlus, word: 'Deployment' },
  Upgrade: { icon: IconArrowUp, word: 'Upgrade' },
  Rollback: { icon: IconArrowBackUp, word: 'Rollback' },
  ChangeWorkload: { icon: IconAdjustments, word: 'Change of a workload' },
  Repair: { icon: IconTool, word: 'Repair' },
  Delete: { icon: IconTrash, word: 'Deletion' },
}

/** An action in words: 'Shop: Upgrade of 2.1.0 by ines, 24 Nov, 14:00: failed'. */
export function markerWords({ kind, version, startedBy, at, outcome, app }: Marker): string {
  const word = kinds[kind]?.word ?? kind
  const to = version !== null && (kind === 'Deploy' || kind === 'Upgrade') ? `${word} of ${version}` : word
  return `${app === null ? '' : `${app}: `}${to} by ${startedBy}, ${shortDate(at)}: ${outcome}`
}

/** The mark of an action on a chart; it leads to the action. */
export function MarkerLink({ marker }: { marker: Marker }) {
  const KindIcon = kinds[marker.kind]?.icon ?? IconAdjustments
  const words = markerWords(marker)
  return (
    <Link
      to="/cloud-automation/$actionId"
      params={{ actionId: marker.actionId }}
      className={classNames(styles.marker, styles[marker.outcome])}
      aria-label={words}
      title={words}
    >
      <KindIcon size={14} stroke={2} aria-hidden />
    </Link>
  )
}
