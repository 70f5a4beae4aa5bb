import { Button } from '../../../../ui/actions/button.tsx'
import { AccessManagement } from '../../steps/access-management.tsx'
import { CostControlStep } from '../../steps/cost/cost-control-step.tsx'
import { DataStep } from '../../steps/data-step.tsx'
import { texts } from '../../texts.ts'
import { stepsWithin } from '../steps-of.ts'
import { cardOfChild } from '../wizard-card.ts'
import { WizardFrame } from '../wizard-frame.tsx'
import {
  AssignButton,
  InstallProgress,
  InstallSummary,
  InstallValues,
  StepButtons,
  WhereItGoes,
} from './install-steps.tsx'
import type { InstallProps } from './use-entries.ts'
import { type Installation, useInstallation } from './use-installation.ts'

/** Wizards A and E: where the app goes, its values or data, who gets access, the summary and the deployment. */
export function InstallWizard(props: InstallProps) {
  const found = useInstallation(props)
  const { assigned, step } = found
  const frame = frameOf(found)
  if (step === 'AssignDeployment' || assigned === undefined) {
    return (
      <WizardFrame {...frame} actions={<AssignButton installation={found} />}>
        <WhereItGoes installation={found} />
      </WizardFrame>
    )
  }
  const installation = { ...found, assigned }
  if (step === 'ValuesYaml') return <InstallValues installation={installation} frame={frame} />
  if (step !== 'Data' && step !== 'GroupAssign' && step !== 'CostControl' && step !== 'Summary')
    return <InstallProgress installation={installation} frame={frame} />
  return (
    <WizardFrame {...frame} actions={<StepButtons installation={installation} />}>
      {step === 'Data' && <DataStep />}
      {step === 'GroupAssign' && (
        <AccessManagement roles={assigned.app.resourceRoles} chosen={found.groups} onChange={found.setGroups} />
      )}
      {step === 'CostControl' && <CostControlStep control={found.control} />}
      {step === 'Summary' && <InstallSummary installation={installation} />}
    </WizardFrame>
  )
}

function frameOf({ assigned, child, versions, form, kind, at, assigning, leave, control }: Installation) {
  const card = cardOfChild(assigned?.child ?? child)
  const version = versions.data?.find(({ id }) => id === form.versionId) ?? child.version
  return {
    card,
    title: card.displayName,
    subtitle: `${card.category} · by ${card.manufacturerName} · ${version.version}`,
    steps: stepsWithin(kind, control.over !== undefined).map(({ name }) => name),
    current: at,
    cancel: (
      <Button look="quiet" disabled={assigning} onClick={leave}>
        {texts.cancelDeployment}
      </Button>
    ),
  }
}
