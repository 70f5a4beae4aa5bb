import type { App, Space } from '@quayside/contract/portal-api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { versionsQuery } from '../../../api/catalog-items.ts'
import { postAction } from '../../../api/deployments.ts'
import { useWizards } from '../../../api/wizards.tsx'
import { usePortal } from '../../../lib/portal.tsx'
import { Button } from '../../../ui/button.tsx'
import { appMetadataOf, deployDataOf } from '../deploy-data.ts'
import { MergeConflicts } from '../merge/merge-conflicts.tsx'
import { DataStep } from '../steps/data-step.tsx'
import { SelectVersion } from '../steps/select-version.tsx'
import { Summary } from '../steps/summary.tsx'
import { UpgradeChanges } from '../steps/upgrade-changes.tsx'
import { texts } from '../texts.ts'
import { InfrastructurePage } from './infrastructure-page.tsx'
import { MeanwhileNote } from './meanwhile-note.tsx'
import { MergedNote } from './merged-note.tsx'
import { ProgressWizard } from './progress-wizard.tsx'
import { namesOf } from './steps-of.ts'
import { useAppCard } from './use-app-card.ts'
import { useLaterRevision } from './use-later-revision.ts'
import { nothingEntered, useLeave } from './use-leave.ts'
import { useUpgradeValues } from './use-upgrade-values.ts'
import { WizardFrame } from './wizard-frame.tsx'

const steps = { B: namesOf('B'), F: namesOf('F') }

/** Wizards B and F: choose a version, set its values or data, review, upgrade. */
export function UpgradeWizard({
  app,
  space,
  versionId: preset,
  kind,
}: {
  app: App
  space: Space
  versionId: string | undefined
  kind: 'B' | 'F'
}) {
  const { api, config } = usePortal()
  const { close } = useWizards()
  const [step, setStep] = useState(0)
  const [wanted, setWanted] = useState(preset)
  const values = useUpgradeValues(app)
  const { chosen, yaml, choices, merged } = values
  const leave = useLeave({ ...nothingEntered, values: values.isEdited }, close)
  const [looking, setLooking] = useState(false)
  const [key, setKey] = useState(() => crypto.randomUUID())
  // The app is fetched again when its upgrade has ended; where it came from stays.
  const [before] = useState(app.version)
  const versions = useQuery(versionsQuery(api, app.catalogItemId))
  const versionId = wanted ?? versions.data?.[0]?.id
  const card = useAppCard(app)
  const appMetadata = appMetadataOf(config.tenant, space, app)
  const frame = {
    title: app.displayName,
    subtitle: `${app.catalogItemName} · ${wayFrom(before, step === 0 ? undefined : chosen?.child.version.version)}`,
    card,
    steps: steps[kind],
    current: step,
    cancel: (
      <Button look="quiet" onClick={leave}>
        {step === 0 ? texts.cancel : texts.cancelUpgrade}
      </Button>
    ),
  }
  const base = chosen?.prepared.values.revision
  const { later, look } = useLaterRevision(app.id, step === steps[kind].length - 1 ? undefined : base)
  const prepare = async (id: string | undefined) => {
    if (id !== undefined && (await values.prepare(id))) setStep(1)
  }
  // The last look before it starts: somebody else may have been faster.
  const upgrade = async () => {
    setLooking(true)
    const isLate = await look().finally(() => setLooking(false))
    if (isLate === undefined) setStep(step + 1)
  }

  if (step === 0 || chosen === undefined) {
    return (
      <WizardFrame
        {...frame}
        actions={
          <Button
            look="primary"
            busy={values.busy}
            disabled={versionId === undefined}
            onClick={() => void prepare(versionId)}
          >
            {texts.next}
          </Button>
        }
      >
        <SelectVersion
          app={app}
          versions={versions.data}
          versionsError={versions.error}
          versionId={versionId}
          appMetadata={appMetadata}
          preparing={values.busy}
          error={values.error}
          onChange={setWanted}
        />
      </WizardFrame>
    )
  }
  const previous = <Button onClick={() => setStep(step - 1)}>{texts.previous}</Button>
  const { child, prepared } = chosen
  const merge = prepared.values.merge ?? null
  const upgradeButton = (
    <Button look="primary" busy={looking} disabled={later !== undefined} onClick={() => void upgrade()}>
      {texts.upgrade}
    </Button>
  )
  const meanwhile = later !== undefined && base != null && (
    <MeanwhileNote
      later={later}
      base={base}
      way={{
        words: texts.meanwhile.take,
        busy: values.busy,
        refused: saidOf(values.error),
        go: () => void prepare(child.version.id),
      }}
    />
  )
  if (step === 1 && kind === 'F') {
    return (
      <WizardFrame
        {...frame}
        actions={
          <>
            {previous}
            {upgradeButton}
          </>
        }
      >
        {meanwhile}
        <DataStep />
      </WizardFrame>
    )
  }
  if (step === 1) {
    return (
      <InfrastructurePage
        frame={frame}
        versionId={child.version.id}
        appMetadata={appMetadata}
        schema={prepared.values.schema}
        defaults={prepared.values.defaults ?? prepared.values.yaml}
        deployed={prepared.values.deployed ?? null}
        isOpen={values.open > 0 || later !== undefined}
        above={
          <>
            {meanwhile}
            {merged !== undefined && (
              <MergedNote merged={merged} choices={choices} yaml={yaml} onChoose={values.choose} />
            )}
            {merge !== null && <MergeConflicts merge={merge} choices={choices} yaml={yaml} onChoose={values.choose} />}
          </>
        }
        place={{ clusterId: app.clusterId, spaceId: app.spaceId }}
        yaml={yaml}
        onChange={values.write}
        itemId={child.item.id}
        previous={previous}
        onNext={() => setStep(2)}
      />
    )
  }
  if (step === 2 && kind === 'B') {
    const { schema, defaults = prepared.values.yaml, deployed } = prepared.values
    const facts = {
      values: { yaml, schema, defaults, deployed },
      appName: app.displayName,
      tags: app.tags,
      version: child.version.version,
      cluster: app.clusterName,
      space: app.spaceName,
    }
    return (
      <WizardFrame
        {...frame}
        actions={
          <>
            {previous}
            {upgradeButton}
          </>
        }
      >
        {meanwhile}
        <Summary facts={{ action: 'Upgrade', ...facts, groups: [], hasAccess: false }} />
        <UpgradeChanges versionId={child.version.id} appMetadata={appMetadata} yaml={yaml} merge={merge} />
      </WizardFrame>
    )
  }
  const deployData = deployDataOf({ tenant: config.tenant, space, app, child, yaml, groups: [] })
  return (
    <ProgressWizard
      action="Upgrade"
      releaseName={app.releaseName ?? app.id}
      appId={app.id}
      start={(socketId) => {
        const body = { appId: app.id, versionId: child.version.id, deployData, baseRevision: base, socketId }
        return postAction(api, 'Upgrade', body, key)
      }}
      onRetry={() => {
        setKey(crypto.randomUUID())
        values.sent()
        setStep(1)
      }}
      card={card}
      steps={steps[kind]}
      place={`${app.displayName} ${before} → ${child.version.version} in ${app.spaceName} on ${app.clusterName}`}
    />
  )
}

function wayFrom(before: string, after: string | undefined): string {
  return after === undefined || after === before ? before : `${before} → ${after}`
}

function saidOf(error: unknown): string | undefined {
  if (error == null) return undefined
  return error instanceof Error ? error.message : String(error)
}
