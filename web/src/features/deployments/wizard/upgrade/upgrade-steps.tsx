import type { ComponentProps } from 'react'
import { Button } from '../../../../ui/actions/button.tsx'
import type { SentAction } from '../../progress/use-send-action.ts'
import { Summary } from '../../steps/summary.tsx'
import { UpgradeChanges } from '../../steps/upgrade-changes.tsx'
import { texts } from '../../texts.ts'
import { MergeConflicts } from '../../values/merge/merge-conflicts.tsx'
import { InfrastructurePage } from '../infrastructure-page.tsx'
import { ProgressWizard } from '../progress-wizard.tsx'
import { MeanwhileNote } from './meanwhile-note.tsx'
import { MergedNote } from './merged-note.tsx'
import type { ChosenUpgrade } from './use-upgrade.ts'

interface Of {
  upgrade: ChosenUpgrade
}

/** Previous, and Upgrade, which is closed while another revision has come meanwhile. */
export function UpgradeButtons({ upgrade: { step, setStep, looking, later, chosen, start } }: Of) {
  return (
    <>
      <Button onClick={() => setStep(step - 1)}>{texts.previous}</Button>
      <Button look="primary" busy={looking} disabled={later !== undefined} onClick={() => void start(chosen)}>
        {texts.upgrade}
      </Button>
    </>
  )
}

/** Another revision that was deployed meanwhile, with the way to take it in. */
export function DeployedMeanwhile({ upgrade: { later, base, values, chosen, prepare } }: Of) {
  if (later === undefined || base == null) return null
  return (
    <MeanwhileNote
      later={later}
      base={base}
      way={{
        words: texts.meanwhile.take,
        busy: values.busy,
        refused: saidOf(values.error),
        go: () => void prepare(chosen.child.version.id),
      }}
    />
  )
}

function saidOf(error: unknown): string | undefined {
  if (error == null) return undefined
  return error instanceof Error ? error.message : String(error)
}

/** The values of the chosen version, merged with the deployed ones. */
export function UpgradeValues({ upgrade, frame }: Of & { frame: ComponentProps<typeof InfrastructurePage>['frame'] }) {
  const { app, step, setStep, values, later, appMetadata } = upgrade
  const { child, prepared } = upgrade.chosen
  const { yaml, choices, merged } = values
  const merge = prepared.values.merge ?? null
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
          <DeployedMeanwhile upgrade={upgrade} />
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
      previous={<Button onClick={() => setStep(step - 1)}>{texts.previous}</Button>}
      onNext={() => setStep(2)}
    />
  )
}

/** Everything that will change, to look at once more. */
export function UpgradeSummary({ upgrade: { app, values, chosen, appMetadata, giveUp } }: Of) {
  const { yaml } = values
  const { child, prepared } = chosen
  const { schema, defaults = prepared.values.yaml, deployed } = prepared.values
  const facts = {
    values: { yaml, schema, defaults, deployed },
    giveUp,
    appName: app.displayName,
    tags: app.tags,
    version: child.version.version,
    cluster: app.clusterName,
    space: app.spaceName,
  }
  const merge = prepared.values.merge ?? null
  return (
    <>
      <Summary facts={{ action: 'Upgrade', ...facts, groups: [], hasAccess: false }} />
      <UpgradeChanges versionId={child.version.id} appMetadata={appMetadata} yaml={yaml} merge={merge} />
    </>
  )
}

/** The upgrade and its log. */
export function UpgradeProgress({ upgrade, sent }: Of & { sent: SentAction }) {
  const { app, socket, before, card, steps, tryAgain } = upgrade
  const { child } = upgrade.chosen
  return (
    <ProgressWizard
      action="Upgrade"
      releaseName={app.releaseName ?? app.id}
      appId={app.id}
      sent={sent}
      socket={socket}
      onRetry={tryAgain}
      card={card}
      steps={steps}
      place={`${app.displayName} ${before} → ${child.version.version} in ${app.spaceName} on ${app.clusterName}`}
    />
  )
}
