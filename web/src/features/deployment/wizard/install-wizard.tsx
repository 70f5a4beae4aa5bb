import type { CatalogChild } from '@quayside/contract/catalog'
import type { PreparedVersion } from '@quayside/contract/deployment'
import type { App, Space } from '@quayside/contract/portal-api'
import { sameValue } from '@quayside/values/yaml/plain-values'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { versionsQuery } from '../../../api/catalog-items.ts'
import { postAction, releaseNameOf } from '../../../api/deployments.ts'
import { wizardSpacesQuery } from '../../../api/spaces.ts'
import { useWizards } from '../../../api/wizards.tsx'
import { usePortal } from '../../../lib/portal.tsx'
import { Button } from '../../../ui/button.tsx'
import { appMetadataOf, type ChosenGroup, deployDataOf } from '../deploy-data.ts'
import { AccessManagement } from '../steps/access-management.tsx'
import { DataStep } from '../steps/data-step.tsx'
import { type GeneralForm, GeneralInformation, isGeneralValid, withSpace } from '../steps/general-information.tsx'
import { Summary } from '../steps/summary.tsx'
import { useMayYaml } from '../steps/use-may-yaml.ts'
import { texts } from '../texts.ts'
import { assignApp, discardApp } from './assign-app.ts'
import { carriedOver } from './carry-over.ts'
import { InfrastructurePage } from './infrastructure-page.tsx'
import { dropDraft, type InstallDraft, useInstallDraft } from './install-draft.ts'
import { LeftOut, LinkNote, ResumedNote, withForeign, withLinked } from './linked-values.tsx'
import { ProgressWizard } from './progress-wizard.tsx'
import { namesOf, type StepId, stepsOf } from './steps-of.ts'
import { useLeave } from './use-leave.ts'
import { cardOfChild } from './wizard-card.ts'
import { WizardFrame } from './wizard-frame.tsx'

interface Props {
  child: CatalogChild
  spaceId: string | undefined
  /** The values of a link, as YAML. */
  values?: string | undefined
  kind: InstallKind
  /** An app that was assigned before; the wizard then begins after General Information. */
  resumed?: Resumed | undefined
}

export type InstallKind = 'A' | 'A-with-access' | 'E'

/** Where an installation goes on. */
export interface Resumed {
  assigned: Assigned
  draft: InstallDraft | undefined
}

/** The result of General Information: an assigned app with its values prepared. */
export interface Assigned {
  app: App
  child: CatalogChild
  space: Space
  prepared: PreparedVersion
  releaseName: string
}

/** Wizards A and E: where the app goes, its values or data, who gets access, the summary and the deployment. */
export function InstallWizard({ child, spaceId, values, kind, resumed }: Props) {
  const portal = usePortal()
  const { api, config } = portal
  const { userId } = portal.me()
  const { close } = useWizards()
  const steps = stepsOf[kind].map(({ id }) => id)
  const [step, setStep] = useState<StepId>((resumed && steps[1]) ?? 'AssignDeployment')
  const [form, setForm] = useState<GeneralForm>(() => formFor(child, spaceId, resumed?.assigned.app))
  const [assigned, setAssigned] = useState(resumed?.assigned)
  const [assigning, setAssigning] = useState(false)
  const [error, setError] = useState<unknown>()
  const [yaml, setYaml] = useState<string>(() =>
    resumed ? withLinked(resumed.assigned.prepared.values.yaml, resumed.draft?.yaml) : texts.infrastructure.defaultYaml,
  )
  const [tried, setTried] = useState(false)
  const [left, setLeft] = useState<readonly string[]>([])
  const mayYaml = useMayYaml()
  const [groups, setGroups] = useState<ChosenGroup[]>(resumed?.draft?.groups ?? [])
  // The entries to find unsaved changes by: as opened, as prepared for a version, or as last sent to an action.
  const [first, setFirst] = useState({ form, yaml, groups })
  // One key for the whole wizard: however often the request is sent, it deploys once.
  const [key, setKey] = useState(() => crypto.randomUUID())
  const spaces = useQuery(wizardSpacesQuery(api))
  const versions = useQuery(versionsQuery(api, child.item.id))
  usePresetSpace(spaces.data, form, setForm)

  useInstallDraft(userId, openOf(assigned, step, yaml, groups))

  const at = steps.indexOf(step)
  const go = (by: 1 | -1) => setStep(steps[at + by] ?? step)
  const cancel = () => {
    // An app whose deployment has been tried stays, for its logs and for another try, and so does one that was there
    // before this wizard; one never tried goes.
    if (assigned !== undefined && !tried && assigned.app.id !== resumed?.assigned.app.id)
      void discardApp(api, assigned.app).catch((reason: unknown) => console.warn('The assigned app stays.', reason))
    close()
  }
  const leave = useLeave(
    {
      name: form.displayName.trim() !== first.form.displayName.trim(),
      tags: !sameValue(form.tags, first.form.tags),
      values: yaml !== first.yaml,
      groups: !sameValue(groups, first.groups),
    },
    cancel,
  )
  const assign = async () => {
    // The wizard of Serverless apps lets Next be pressed at once; what is missing is said then.
    if (!isGeneralValid(form)) return setForm((now) => ({ ...now, touched: allTouched }))
    setAssigning(true)
    setError(undefined)
    try {
      const next = await assignApp({
        api,
        tenantId: config.tenant.id,
        form,
        child,
        versions: versions.data ?? [],
        spaces: spaces.data ?? [],
        before: assigned,
      })
      const releaseName = await releaseNameOf(api, next.app.id, next.app.name)
      const own = next.prepared.values
      const { yaml: start, left } = withForeign(own.yaml, values, { defaults: own.yaml, schema: own.schema, mayYaml })
      setLeft(left)
      if (assigned?.child.version.id !== next.child.version.id) {
        setYaml(assigned === undefined ? start : carriedOver({ before: first.yaml, yours: yaml, theirs: start }))
        setFirst((now) => ({ ...now, yaml: start }))
      }
      // An app that stays has its name and tags by now.
      if (resumed !== undefined) setFirst((now) => ({ ...now, form }))
      setAssigned({ ...next, releaseName })
      setStep(steps[1] ?? 'ValuesYaml')
    } catch (reason) {
      setError(reason)
    } finally {
      setAssigning(false)
    }
  }

  const card = cardOfChild(assigned?.child ?? child)
  const version = versions.data?.find(({ id }) => id === form.versionId) ?? child.version
  const frame = {
    card,
    title: card.displayName,
    subtitle: `${card.category} · by ${card.manufacturerName} · ${version.version}`,
    steps: namesOf(kind),
    current: at,
    cancel: (
      <Button look="quiet" disabled={assigning} onClick={leave}>
        {texts.cancelDeployment}
      </Button>
    ),
  }
  const previous = <Button onClick={() => go(-1)}>{texts.previous}</Button>
  const next = (
    <Button look="primary" onClick={() => go(1)}>
      {texts.next}
    </Button>
  )

  if (step === 'AssignDeployment' || assigned === undefined) {
    return (
      <WizardFrame
        {...frame}
        actions={
          <Button
            look="primary"
            busy={assigning}
            disabled={kind !== 'E' && !isGeneralValid(form)}
            onClick={() => void assign()}
          >
            {texts.next}
          </Button>
        }
      >
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
      </WizardFrame>
    )
  }
  if (step === 'ValuesYaml') {
    return (
      <InfrastructurePage
        frame={frame}
        versionId={assigned.child.version.id}
        appMetadata={appMetadataOf(config.tenant, assigned.space, assigned.app)}
        schema={assigned.prepared.values.schema}
        defaults={assigned.prepared.values.yaml}
        place={{ clusterId: assigned.prepared.clusterId ?? assigned.app.clusterId, spaceId: assigned.space.id }}
        yaml={yaml}
        onChange={setYaml}
        itemId={assigned.child.item.id}
        above={
          resumed?.assigned.app.id === assigned.app.id
            ? !tried && <ResumedNote hasDraft={resumed.draft !== undefined} />
            : values !== undefined && (
                <>
                  <LinkNote isRead={values !== ''} />
                  <LeftOut names={left} />
                </>
              )
        }
        previous={previous}
        onNext={() => go(1)}
      />
    )
  }
  if (step === 'Data') {
    return (
      <WizardFrame
        {...frame}
        actions={
          <>
            {previous}
            {next}
          </>
        }
      >
        <DataStep />
      </WizardFrame>
    )
  }
  if (step === 'GroupAssign') {
    return (
      <WizardFrame
        {...frame}
        actions={
          <>
            {previous}
            {next}
          </>
        }
      >
        <AccessManagement roles={assigned.app.resourceRoles} chosen={groups} onChange={setGroups} />
      </WizardFrame>
    )
  }
  const cluster =
    assigned.space.clusters.find(({ id }) => id === assigned.app.clusterId)?.displayName ?? assigned.app.clusterName
  if (step === 'Summary') {
    const { yaml: defaults, schema } = assigned.prepared.values
    const facts = {
      ...(kind === 'E' ? {} : { values: { yaml, schema, defaults } }),
      appName: assigned.app.displayName,
      tags: assigned.app.tags,
      version: assigned.child.version.version,
      cluster,
      space: assigned.space.displayName,
    }
    return (
      <WizardFrame
        {...frame}
        actions={
          <>
            {previous}
            <Button look="primary" onClick={() => go(1)}>
              {texts.deploy}
            </Button>
          </>
        }
      >
        <Summary facts={{ action: 'Deploy', ...facts, groups, hasAccess: kind === 'A-with-access' }} />
      </WizardFrame>
    )
  }
  const { app, space, releaseName } = assigned
  const deployData = deployDataOf({ tenant: config.tenant, space, app, child: assigned.child, yaml, groups })
  return (
    <ProgressWizard
      action="Deploy"
      releaseName={releaseName}
      appId={app.id}
      start={(socketId) => {
        dropDraft(userId, app.id)
        const body = { appId: app.id, versionId: assigned.child.version.id, releaseName, deployData, socketId }
        return postAction(api, 'Deploy', body, key)
      }}
      onRetry={() => {
        setKey(crypto.randomUUID())
        setTried(true)
        setFirst({ form, yaml, groups })
        setStep(steps[1] ?? 'AssignDeployment')
      }}
      card={card}
      steps={frame.steps}
      place={`${app.displayName} ${assigned.child.version.version} → ${space.displayName} on ${cluster}`}
    />
  )
}

const allTouched = { version: true, space: true, cluster: true, displayName: true }

/** The draft to keep when the page is left in the middle of an installation. */
function openOf(assigned: Assigned | undefined, step: StepId, yaml: string, groups: ChosenGroup[]) {
  if (assigned === undefined || step === 'InstallDeployment') return undefined
  const { yaml: defaults, schema } = assigned.prepared.values
  return { appId: assigned.app.id, yaml, defaults, schema, groups }
}

function formFor(child: CatalogChild, spaceId: string | undefined, app: App | undefined): GeneralForm {
  return {
    versionId: child.version.id,
    spaceId,
    clusterId: app?.clusterId,
    displayName: app?.displayName ?? (child.version.displayName || child.item.displayName),
    tags: app?.tags ?? child.item.tags,
    touched: { version: false, space: false, cluster: false, displayName: false },
  }
}

/** A preset space, or the only one there is, is chosen as soon as the spaces are known. */
function usePresetSpace(
  spaces: readonly Space[] | undefined,
  form: GeneralForm,
  onChange: (change: (form: GeneralForm) => GeneralForm) => void,
): void {
  const preset = form.spaceId ?? (spaces?.length === 1 ? spaces[0]?.id : undefined)
  const isOpen = spaces !== undefined && preset !== undefined && form.clusterId === undefined && !form.touched.space
  useEffect(() => {
    if (isOpen) onChange((now) => withSpace(now, spaces, preset))
  }, [isOpen, spaces, preset, onChange])
}
