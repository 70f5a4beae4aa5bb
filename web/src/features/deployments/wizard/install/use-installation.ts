import type { Space } from '@quayside/contract/spaces/endpoints'
import { sameValue } from '@quayside/values/yaml/plain-values'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { versionsQuery } from '../../../../api/catalog/items.ts'
import { useWizards } from '../../../../api/deployments/wizards.tsx'
import { wizardSpacesQuery } from '../../../../api/spaces.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import { deployDataOf } from '../../deploy-data.ts'
import { useSendAction } from '../../progress/use-send-action.ts'
import { type GeneralForm, withSpace } from '../../steps/general-information.tsx'
import { type StepId, stepsOf } from '../steps-of.ts'
import { useLeave } from '../use-leave.ts'
import { discardApp } from './assign-app.ts'
import { dropDraft, useInstallDraft } from './install-draft.ts'
import { useAssigning } from './use-assigning.ts'
import { type Assigned, type Entries, type InstallProps, useEntries } from './use-entries.ts'

/** An installation, from General Information to the deployment. */
export type Installation = ReturnType<typeof useInstallation>

/** The same once its app is assigned. */
export type AssignedInstallation = Installation & { assigned: Assigned }

/** The step of an installation, what was entered so far, and the ways on from there. */
export function useInstallation(props: InstallProps) {
  const { child, kind, resumed } = props
  const { api, config, me } = usePortal()
  const { userId } = me()
  const steps = stepsOf[kind].map(({ id }) => id)
  const [step, setStep] = useState<StepId>((resumed && steps[1]) ?? 'AssignDeployment')
  const entries = useEntries(props)
  const { form, setForm, yaml, groups, setFirst } = entries
  const [tried, setTried] = useState(false)
  const { socket, sent, send, reset, giveUp } = useSendAction('Deploy')
  const spaces = useQuery(wizardSpacesQuery(api))
  const versions = useQuery(versionsQuery(api, child.item.id))
  usePresetSpace(spaces.data, form, setForm)
  useInstallDraft(userId, openOf(entries, step))
  const lists = { versions: versions.data, spaces: spaces.data }
  const assigning = useAssigning(props, entries, lists, () => setStep(steps[1] ?? 'ValuesYaml'))
  const at = steps.indexOf(step)
  return {
    ...props,
    ...entries,
    ...assigning,
    ...{ step, at, tried, socket, sent, spaces, versions, giveUp },
    leave: useLeaveInstallation(props, entries, tried),
    go: (by: 1 | -1) => setStep(steps[at + by] ?? step),
    deploy: ({ prepared: _, releaseName, ...of }: Assigned) => {
      dropDraft(userId, of.app.id)
      const deployData = deployDataOf({ tenant: config.tenant, ...of, yaml, groups })
      send({ appId: of.app.id, versionId: of.child.version.id, releaseName, deployData })
      setStep('InstallDeployment')
    },
    /** Back to the values, for another try with a key of its own. */
    tryAgain: () => {
      reset()
      setTried(true)
      setFirst({ form, yaml, groups })
      setStep(steps[1] ?? 'AssignDeployment')
    },
  }
}

function useLeaveInstallation({ resumed }: InstallProps, entries: Entries, tried: boolean) {
  const { api } = usePortal()
  const { close } = useWizards()
  const { form, yaml, groups, first, assigned } = entries
  const cancel = () => {
    // An app whose deployment has been tried stays, for its logs and for another try, and so does one that was there
    // before this wizard; one never tried goes.
    if (assigned !== undefined && !tried && assigned.app.id !== resumed?.assigned.app.id)
      void discardApp(api, assigned.app).catch((reason: unknown) => console.warn('The assigned app stays.', reason))
    close()
  }
  return useLeave(
    {
      name: form.displayName.trim() !== first.form.displayName.trim(),
      tags: !sameValue(form.tags, first.form.tags),
      values: yaml !== first.yaml,
      groups: !sameValue(groups, first.groups),
    },
    cancel,
  )
}

/** The draft to keep when the page is left in the middle of an installation. */
function openOf({ assigned, yaml, groups }: Entries, step: StepId) {
  if (assigned === undefined || step === 'InstallDeployment') return undefined
  const { yaml: defaults, schema } = assigned.prepared.values
  return { appId: assigned.app.id, yaml, defaults, schema, groups }
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
