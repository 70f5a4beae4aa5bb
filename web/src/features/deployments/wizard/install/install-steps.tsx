import type { ComponentProps } from 'react'
import { usePortal } from '../../../../lib/portal.tsx'
import { Button } from '../../../../ui/actions/button.tsx'
import { appMetadataOf } from '../../deploy-data.ts'
import { GeneralInformation, isGeneralValid } from '../../steps/general-information.tsx'
import { Summary } from '../../steps/summary.tsx'
import { texts } from '../../texts.ts'
import { InfrastructurePage } from '../infrastructure-page.tsx'
import { ProgressWizard } from '../progress-wizard.tsx'
import { LeftOut, LinkNote, ResumedNote } from './linked-values.tsx'
import type { Assigned } from './use-entries.ts'
import type { AssignedInstallation, Installation } from './use-installation.ts'

interface Of {
  installation: AssignedInstallation
}

type Frame = ComponentProps<typeof InfrastructurePage>['frame']

/** General Information: where the app goes and what it is called. */
export function WhereItGoes({ installation }: { installation: Installation }) {
  const { form, setForm, versions, spaces, assigning, kind, error } = installation
  return (
    <GeneralInformation
      form={form}
      onChange={setForm}
      versions={versions.data}
      versionsError={versions.error}
      spaces={spaces.data}
      spacesError={spaces.error}
      assigning={assigning}
      editing={kind !== 'E'}
      error={error}
    />
  )
}

/** Next of General Information, which assigns the app. */
export function AssignButton({ installation }: { installation: Installation }) {
  const { form, assigning, assign, kind } = installation
  return (
    <Button
      look="primary"
      busy={assigning}
      disabled={kind !== 'E' && !isGeneralValid(form)}
      onClick={() => void assign()}
    >
      {texts.next}
    </Button>
  )
}

/** Previous, and Next or Deploy. */
export function StepButtons({ installation: { step, go, assigned, deploy } }: Of) {
  return (
    <>
      <Button onClick={() => go(-1)}>{texts.previous}</Button>
      <Button look="primary" onClick={() => (step === 'Summary' ? deploy(assigned) : go(1))}>
        {step === 'Summary' ? texts.deploy : texts.next}
      </Button>
    </>
  )
}

/** The values of the app, with a note on what they began with. */
export function InstallValues({ installation, frame }: Of & { frame: Frame }) {
  const { config } = usePortal()
  const { assigned, yaml, setYaml, go } = installation
  const { app, child, space, prepared } = assigned
  return (
    <InfrastructurePage
      frame={frame}
      versionId={child.version.id}
      appMetadata={appMetadataOf(config.tenant, space, app)}
      schema={prepared.values.schema}
      defaults={prepared.values.yaml}
      place={{ clusterId: prepared.clusterId ?? app.clusterId, spaceId: space.id }}
      yaml={yaml}
      onChange={setYaml}
      itemId={child.item.id}
      above={<BeginningNote installation={installation} />}
      previous={<Button onClick={() => go(-1)}>{texts.previous}</Button>}
      onNext={() => go(1)}
    />
  )
}

function BeginningNote({ installation: { assigned, resumed, tried, values, left } }: Of) {
  if (resumed?.assigned.app.id === assigned.app.id)
    return tried ? null : <ResumedNote hasDraft={resumed.draft !== undefined} />
  if (values === undefined) return null
  return (
    <>
      <LinkNote isRead={values !== ''} />
      <LeftOut names={left} />
    </>
  )
}

/** Everything that will be deployed, to look at once more. */
export function InstallSummary({ installation: { assigned, yaml, groups, kind, giveUp } }: Of) {
  const { yaml: defaults, schema } = assigned.prepared.values
  const facts = {
    ...(kind === 'E' ? {} : { values: { yaml, schema, defaults } }),
    giveUp,
    appName: assigned.app.displayName,
    tags: assigned.app.tags,
    version: assigned.child.version.version,
    cluster: clusterOf(assigned),
    space: assigned.space.displayName,
  }
  return <Summary facts={{ action: 'Deploy', ...facts, groups, hasAccess: kind === 'A-with-access' }} />
}

/** The deployment and its log. */
export function InstallProgress({ installation, frame }: Of & { frame: Frame }) {
  const { assigned, sent = {}, socket, tryAgain } = installation
  const { app, space, child, releaseName } = assigned
  return (
    <ProgressWizard
      action="Deploy"
      releaseName={releaseName}
      appId={app.id}
      sent={sent}
      socket={socket}
      onRetry={tryAgain}
      card={frame.card}
      steps={frame.steps}
      place={`${app.displayName} ${child.version.version} → ${space.displayName} on ${clusterOf(assigned)}`}
    />
  )
}

function clusterOf({ space, app }: Assigned): string {
  return space.clusters.find(({ id }) => id === app.clusterId)?.displayName ?? app.clusterName
}
