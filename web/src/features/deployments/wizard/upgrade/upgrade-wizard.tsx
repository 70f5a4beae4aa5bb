import { Button } from '../../../../ui/actions/button.tsx'
import { CostControlStep } from '../../steps/cost/cost-control-step.tsx'
import { DataStep } from '../../steps/data-step.tsx'
import { SelectVersion } from '../../steps/select-version.tsx'
import { texts } from '../../texts.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import { DeployedMeanwhile, UpgradeButtons, UpgradeProgress, UpgradeSummary, UpgradeValues } from './upgrade-steps.tsx'
import { type Upgrade, type UpgradeProps, useUpgrade } from './use-upgrade.ts'

/** Wizards B and F: choose a version, set its values or data, review, upgrade. */
export function UpgradeWizard(props: UpgradeProps) {
  const found = useUpgrade(props)
  const { step, chosen, kind, sent } = found
  const frame = frameOf(found)
  if (step === 0 || chosen === undefined) {
    return (
      <WizardFrame {...frame} actions={<PrepareButton upgrade={found} />}>
        <VersionChoice upgrade={found} />
      </WizardFrame>
    )
  }
  const upgrade = { ...found, chosen }
  if (sent !== undefined) return <UpgradeProgress upgrade={upgrade} sent={sent} />
  if (step === 1 && kind === 'B') return <UpgradeValues upgrade={upgrade} frame={frame} />
  return (
    <WizardFrame {...frame} actions={<UpgradeButtons upgrade={upgrade} />}>
      <DeployedMeanwhile upgrade={upgrade} />
      {kind === 'F' && <DataStep />}
      {kind === 'B' && found.isCostControl && <CostControlStep control={found.control} />}
      {kind === 'B' && !found.isCostControl && <UpgradeSummary upgrade={upgrade} />}
    </WizardFrame>
  )
}

function frameOf({ app, before, step, chosen, card, steps, leave }: Upgrade) {
  return {
    title: app.displayName,
    subtitle: `${app.catalogItemName} · ${wayFrom(before, step === 0 ? undefined : chosen?.child.version.version)}`,
    card,
    steps,
    current: step,
    cancel: (
      <Button look="quiet" onClick={leave}>
        {step === 0 ? texts.cancel : texts.cancelUpgrade}
      </Button>
    ),
  }
}

function wayFrom(before: string, after: string | undefined): string {
  return after === undefined || after === before ? before : `${before} → ${after}`
}

function VersionChoice({ upgrade: { app, versions, versionId, appMetadata, values, choose } }: { upgrade: Upgrade }) {
  return (
    <SelectVersion
      app={app}
      versions={versions.data}
      versionsError={versions.error}
      versionId={versionId}
      appMetadata={appMetadata}
      preparing={values.busy}
      error={values.error}
      onChange={choose}
    />
  )
}

/** Next of the choice, which prepares the values of the chosen version. */
function PrepareButton({ upgrade: { values, versionId, prepare } }: { upgrade: Upgrade }) {
  return (
    <Button
      look="primary"
      busy={values.busy}
      disabled={versionId === undefined}
      onClick={() => void prepare(versionId)}
    >
      {texts.next}
    </Button>
  )
}
