import type { App } from '@quayside/contract/apps/endpoints'
import type { Revision } from '@quayside/contract/deployments/endpoints'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { revisionQuery, revisionsQuery } from '../../../../api/deployments/releases.ts'
import { useWizards } from '../../../../api/deployments/wizards.tsx'
import { usePortal } from '../../../../lib/portal.tsx'
import { Button } from '../../../../ui/actions/button.tsx'
import { ErrorPanel } from '../../../../ui/states/error-panel.tsx'
import { lazily } from '../../../../ui/states/lazily.tsx'
import { Loading } from '../../../../ui/states/loading.tsx'
import { type SentAction, useSendAction } from '../../progress/use-send-action.ts'
import { GiveUpChoice } from '../../steps/give-up-choice.tsx'
import { RollbackChanges } from '../../steps/rollback-changes.tsx'
import styles from '../../steps/steps.module.css'
import { texts } from '../../texts.ts'
import { ProgressWizard } from '../progress-wizard.tsx'
import { namesOf } from '../steps-of.ts'
import { useAppCard } from '../use-app-card.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import { installedOf } from './meanwhile.ts'
import { MeanwhileNote } from './meanwhile-note.tsx'
import { RevisionSelect } from './revision-select.tsx'
import { useLaterRevision } from './use-later-revision.ts'

const YamlEditor = lazily(
  () => import('../../values/form/yaml/yaml-editor.tsx').then((module) => module.YamlEditor),
  <Loading card />,
)
const steps = namesOf('C')

type Rollback = ReturnType<typeof useRollback>

interface Of {
  rollback: Rollback
}

/** Wizard C: choose a revision, look at it, roll back. */
export function RollbackWizard({ app, revision }: { app: App; revision: number | undefined }) {
  const rollback = useRollback(app, revision)
  const { step, setStep, chosen, detail, looking, later, show, start, sent } = rollback
  const { close } = useWizards()
  if (sent !== undefined && chosen !== undefined)
    return <RollbackProgress rollback={rollback} sent={sent} revision={chosen} />
  const frame = {
    title: app.displayName,
    subtitle: `${app.catalogItemName} · ${app.version}`,
    card: rollback.card,
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
            <Button
              look="primary"
              busy={looking}
              disabled={later !== undefined}
              onClick={() => chosen !== undefined && void start(chosen)}
            >
              {texts.rollback}
            </Button>
          </>
        }
      >
        <RevisionOverview rollback={rollback} shown={detail.data} />
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
      <RevisionChoice rollback={rollback} />
    </WizardFrame>
  )
}

/** The step of a rollback, the chosen revision, and whether another one has come meanwhile. */
function useRollback(app: App, preset: number | undefined) {
  const { api } = usePortal()
  const [step, setStep] = useState(0)
  const [wanted, setWanted] = useState(preset)
  const { socket, sent, send, reset, giveUp } = useSendAction('Rollback')
  const revisions = useQuery(revisionsQuery(api, app.id))
  const chosen = wanted ?? secondOf(revisions.data)
  const installed = installedOf(revisions.data)?.revision
  const [base, setBase] = useState<number>()
  const { later, look } = useLaterRevision(app.id, step === 1 ? base : undefined)
  const [looking, setLooking] = useState(false)
  const detail = useQuery({ ...revisionQuery(api, app.id, chosen ?? 0), enabled: chosen !== undefined })
  return {
    ...{ app, step, setStep, socket, sent, revisions, chosen, base, setBase, later, looking, detail, giveUp },
    choose: setWanted,
    card: useAppCard(app),
    show: () => {
      // The revision shown is the one to roll back to, even when newer revisions arrive in the meantime.
      setWanted(chosen)
      setBase(installed)
      setStep(1)
    },
    start: async (to: number) => {
      setLooking(true)
      const isLate = await look().finally(() => setLooking(false))
      if (isLate === undefined) send({ appId: app.id, revision: to, baseRevision: base })
    },
    tryAgain: () => {
      reset()
      setStep(0)
    },
  }
}

function RollbackProgress({ rollback, sent, revision }: Of & { sent: SentAction; revision: number }) {
  const { app, socket, card, tryAgain } = rollback
  return (
    <ProgressWizard
      action="Rollback"
      releaseName={app.releaseName ?? app.id}
      appId={app.id}
      sent={sent}
      socket={socket}
      onRetry={tryAgain}
      card={card}
      steps={steps}
      place={`${app.displayName} to revision ${revision} in ${app.spaceName} on ${app.clusterName}`}
    />
  )
}

/** The values of the chosen revision, and what changes between it and the installed one. */
function RevisionOverview({ rollback, shown }: Of & { shown: { valuesYaml: string; revision: number } }) {
  const { app, base, setBase, later, chosen, giveUp } = rollback
  return (
    <>
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
          value={shown.valuesYaml}
          readOnly
          height="40vh"
        />
      </section>
      {base !== undefined && <RollbackChanges appId={app.id} from={base} to={shown.revision} />}
      <GiveUpChoice giveUp={giveUp} />
    </>
  )
}

function RevisionChoice({ rollback: { revisions, chosen, choose, detail } }: Of) {
  return (
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
      {revisions.data !== undefined && <RevisionSelect revisions={revisions.data} value={chosen} onChange={choose} />}
      {revisions.data?.length === 1 && (
        <p className={styles.text}>
          <bdi>{texts.selectRevision.none}</bdi>
        </p>
      )}
      {detail.error !== null && (
        <ErrorPanel error={detail.error} name={texts.overview.heading} onRetry={() => void detail.refetch()} />
      )}
    </section>
  )
}

/** The first is the installed one; the one before it is what people mostly want back. */
function secondOf(revisions: readonly Revision[] | undefined): number | undefined {
  return revisions?.[1]?.revision
}
