import type { PreparedVersion } from '@quayside/contract/deployment'
import type { App, Space } from '@quayside/contract/portal-api'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePortal } from '../../../lib/portal.tsx'
import { useWizards } from '../../../lib/wizards.tsx'
import { Button } from '../../../ui/button.tsx'
import { type CatalogApp, postAction, prepareVersion, versionsQuery } from '../api.ts'
import { appMetadataOf, deployDataOf } from '../deploy-data.ts'
import { type Choices, openConflicts } from '../merge/merge-choice.ts'
import { MergeConflicts } from '../merge/merge-conflicts.tsx'
import { DataStep } from '../steps/data-step.tsx'
import { SelectVersion } from '../steps/select-version.tsx'
import { Summary } from '../steps/summary.tsx'
import { UpgradeChanges } from '../steps/upgrade-changes.tsx'
import { texts } from '../texts.ts'
import { carriedOver } from './carry-over.ts'
import { InfrastructurePage } from './infrastructure-page.tsx'
import { ProgressWizard } from './progress-wizard.tsx'
import { namesOf } from './steps-of.ts'
import { useAppCard } from './use-app-card.ts'
import { nothingEntered, useLeave } from './use-leave.ts'
import { WizardFrame } from './wizard-frame.tsx'

const steps = { B: namesOf('B'), F: namesOf('F') }

interface Chosen {
  child: CatalogApp['child']
  prepared: PreparedVersion
}

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
  const [chosen, setChosen] = useState<Chosen>()
  const [yaml, setYaml] = useState<string>(texts.infrastructure.defaultYaml)
  const [choices, setChoices] = useState<Choices>({})
  // What the version brought, or what an action got already.
  const [first, setFirst] = useState({ yaml, choices })
  const leave = useLeave({ ...nothingEntered, values: yaml !== first.yaml || choices !== first.choices }, close)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [key, setKey] = useState(() => crypto.randomUUID())
  // The app is fetched again when its upgrade has ended; where it came from stays.
  const [before] = useState(app.version)
  const versions = useQuery(versionsQuery(api, app.catalogItemId))
  const versionId = wanted ?? versions.data?.[0]?.id
  const card = useAppCard(app)
  const appMetadata = appMetadataOf(config.tenant, space, app)
  const frame = {
    title: app.displayName,
    subtitle: `${app.catalogItemName} · ${app.version}`,
    card,
    steps: steps[kind],
    current: step,
    cancel: (
      <Button look="quiet" onClick={leave}>
        {step === 0 ? texts.cancel : texts.cancelUpgrade}
      </Button>
    ),
  }
  const prepare = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { child } = await api.get<CatalogApp>(`/deployment/v1/catalogapp/${versionId}`)
      const prepared = await prepareVersion(api, child, app.id, undefined)
      if (chosen?.child.version.id !== child.version.id) {
        const start = { yaml: prepared.values.yaml, choices: {} }
        setYaml(
          chosen === undefined ? start.yaml : carriedOver({ before: first.yaml, yours: yaml, theirs: start.yaml }),
        )
        setChoices(start.choices)
        setFirst(start)
      }
      setChosen({ child, prepared })
      setStep(1)
    } catch (reason) {
      setError(reason)
    } finally {
      setBusy(false)
    }
  }

  if (step === 0 || chosen === undefined) {
    return (
      <WizardFrame
        {...frame}
        actions={
          <Button look="primary" busy={busy} disabled={versionId === undefined} onClick={() => void prepare()}>
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
          preparing={busy}
          error={error}
          onChange={setWanted}
        />
      </WizardFrame>
    )
  }
  const previous = <Button onClick={() => setStep(step - 1)}>{texts.previous}</Button>
  const { child, prepared } = chosen
  const merge = prepared.values.merge ?? null
  const upgradeButton = (
    <Button look="primary" onClick={() => setStep(step + 1)}>
      {texts.upgrade}
    </Button>
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
        isOpen={openConflicts(merge, choices, yaml) > 0}
        above={
          merge !== null && (
            <MergeConflicts
              merge={merge}
              choices={choices}
              yaml={yaml}
              onChoose={(chosenSides, text) => {
                setChoices(chosenSides)
                setYaml(text)
              }}
            />
          )
        }
        place={{ clusterId: app.clusterId, spaceId: app.spaceId }}
        yaml={yaml}
        onChange={setYaml}
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
      start={(socketId) =>
        postAction(api, 'Upgrade', { appId: app.id, versionId: child.version.id, deployData, socketId }, key)
      }
      onRetry={() => {
        setKey(crypto.randomUUID())
        setFirst({ yaml, choices })
        setStep(1)
      }}
      card={card}
      steps={steps[kind]}
      place={`${app.displayName} ${before} → ${child.version.version} in ${app.spaceName} on ${app.clusterName}`}
    />
  )
}
