import type { Revision } from '@quayside/contract/deployment'
import type { App } from '@quayside/contract/portal-api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { postAction } from '../../../api/deployments.ts'
import { revisionQuery, revisionsQuery } from '../../../api/releases.ts'
import { useWizards } from '../../../api/wizards.tsx'
import { usePortal } from '../../../lib/portal.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { lazily } from '../../../ui/lazily.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { RollbackChanges } from '../steps/rollback-changes.tsx'
import styles from '../steps/steps.module.css'
import { texts } from '../texts.ts'
import { installedOf } from './meanwhile.ts'
import { MeanwhileNote } from './meanwhile-note.tsx'
import { ProgressWizard } from './progress-wizard.tsx'
import { RevisionSelect } from './revision-select.tsx'
import { namesOf } from './steps-of.ts'
import { useAppCard } from './use-app-card.ts'
import { useLaterRevision } from './use-later-revision.ts'
import { WizardFrame } from './wizard-frame.tsx'

const YamlEditor = lazily(
  () => import('../values-form/yaml-editor.tsx').then((module) => module.YamlEditor),
  <Loading card />,
)
const steps = namesOf('C')

/** Wizard C: choose a revision, look at it, roll back. */
export function RollbackWizard({ app, revision: preset }: { app: App; revision: number | undefined }) {
  const { api } = usePortal()
  const { close } = useWizards()
  const [step, setStep] = useState(0)
  const [wanted, setWanted] = useState(preset)
  const [key, setKey] = useState(() => crypto.randomUUID())
  const revisions = useQuery(revisionsQuery(api, app.id))
  const chosen = wanted ?? secondOf(revisions.data)
  const installed = installedOf(revisions.data)?.revision
  const [base, setBase] = useState<number>()
  const { later, look } = useLaterRevision(app.id, step === 1 ? base : undefined)
  const [looking, setLooking] = useState(false)
  const detail = useQuery({ ...revisionQuery(api, app.id, chosen ?? 0), enabled: chosen !== undefined })
  const card = useAppCard(app)
  const show = () => {
    // The revision shown is the one to roll back to, even when newer revisions arrive in the meantime.
    setWanted(chosen)
    setBase(installed)
    setStep(1)
  }
  const start = async () => {
    setLooking(true)
    const isLate = await look().finally(() => setLooking(false))
    if (isLate === undefined) setStep(2)
  }

  if (step === 2 && chosen !== undefined) {
    return (
      <ProgressWizard
        action="Rollback"
        releaseName={app.releaseName ?? app.id}
        appId={app.id}
        start={(socketId) =>
          postAction(api, 'Rollback', { appId: app.id, revision: chosen, baseRevision: base, socketId }, key)
        }
        onRetry={() => {
          setKey(crypto.randomUUID())
          setStep(0)
        }}
        card={card}
        steps={steps}
        place={`${app.displayName} to revision ${chosen} in ${app.spaceName} on ${app.clusterName}`}
      />
    )
  }
  const frame = {
    title: app.displayName,
    subtitle: `${app.catalogItemName} · ${app.version}`,
    card,
    steps,
    current: step,
    cancel: (
      <Button look="quiet" onClick={() => close()}>
        {texts.cancelRollback}
      </Button>
    ),
  }
  if (step === 1 && detail.data !== undefined) {
    return (
      <WizardFrame
        {...frame}
        actions={
          <>
            <Button onClick={() => setStep(0)}>{texts.previous}</Button>
            <Button look="primary" busy={looking} disabled={later !== undefined} onClick={() => void start()}>
              {texts.rollback}
            </Button>
          </>
        }
      >
        {later !== undefined && base !== undefined && (
          <MeanwhileNote
            later={later}
            base={base}
            way={{ words: texts.meanwhile.look, go: () => setBase(later.revision) }}
          />
        )}
        <section className={styles.step}>
          <h3>{texts.overview.heading}</h3>
          <YamlEditor
            label={texts.overview.values.replace('{n}', String(chosen))}
            value={detail.data.valuesYaml}
            readOnly
            height="40vh"
          />
        </section>
        {base !== undefined && <RollbackChanges appId={app.id} from={base} to={detail.data.revision} />}
      </WizardFrame>
    )
  }
  return (
    <WizardFrame
      {...frame}
      actions={
        detail.data !== undefined && (
          <Button look="primary" onClick={show}>
            {texts.next}
          </Button>
        )
      }
    >
      <section aria-label={texts.selectRevision.step} className={styles.step}>
        <div>
          <h3>{texts.selectRevision.heading}</h3>
          <p className={styles.text}>
            <bdi>{texts.selectRevision.choose}</bdi>
          </p>
          <p className={styles.text}>
            <bdi>{texts.selectRevision.overview}</bdi>
          </p>
        </div>
        {revisions.error !== null && (
          <ErrorPanel
            error={revisions.error}
            name={texts.selectRevision.heading}
            onRetry={() => void revisions.refetch()}
          />
        )}
        {revisions.isPending && <Loading card />}
        {revisions.data !== undefined && (
          <RevisionSelect revisions={revisions.data} value={chosen} onChange={setWanted} />
        )}
        {revisions.data?.length === 1 && (
          <p className={styles.text}>
            <bdi>{texts.selectRevision.none}</bdi>
          </p>
        )}
        {detail.error !== null && (
          <ErrorPanel error={detail.error} name={texts.overview.heading} onRetry={() => void detail.refetch()} />
        )}
      </section>
    </WizardFrame>
  )
}

/** The first is the installed one; the one before it is what people mostly want back. */
function secondOf(revisions: readonly Revision[] | undefined): number | undefined {
  return revisions?.[1]?.revision
}
