import type { Revision } from '@quayside/contract/deployments/endpoints'
import { Button } from '../../../../ui/actions/button.tsx'
import { RelativeTime } from '../../../../ui/text/relative-time.tsx'
import { texts } from '../../texts.ts'
import styles from './meanwhile-note.module.css'

const t = texts.meanwhile

interface Props {
  later: Revision
  base: number
  /** The button that resolves it. */
  way: { words: string; busy?: boolean; refused?: string | undefined; go: () => void }
}

/** Somebody has deployed the app since the wizard was opened: who, what, and how to go on from there. */
export function MeanwhileNote({ later, base, way }: Props) {
  return (
    <div role="alert" className={styles.note}>
      <p>
        <bdi>
          {t.deployed(later.revision, later.startedBy ?? t.outside)} (<RelativeTime at={later.updatedAt} />
          ). {t.began} {base}.
        </bdi>
      </p>
      {way.refused !== undefined && (
        <p>
          <bdi>{way.refused}</bdi>
        </p>
      )}
      <Button small busy={way.busy ?? false} onClick={way.go}>
        {way.words}
      </Button>
    </div>
  )
}
