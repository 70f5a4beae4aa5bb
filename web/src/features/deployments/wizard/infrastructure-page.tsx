import type { AppMetadata } from '@quayside/contract/deployments/deploy-data'
import { openValues } from '@quayside/values/form/values-model'
import { yamlProblem } from '@quayside/values/yaml/yaml-document'
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import { useMay } from '../../../api/permissions/my-scopes.ts'
import { Infrastructure } from '../steps/infrastructure.tsx'
import { OutsideNeeds } from '../steps/outside-needs.tsx'
import { PolicyRemedy } from '../steps/policy-remedy.tsx'
import { useValidation } from '../steps/use-validation.ts'
import { texts } from '../texts.ts'
import { CopyLink } from '../values/form/copy-link.tsx'
import { countChanges } from '../values/form/fields/field-tree.ts'
import { FormNote } from '../values/form/form-note.tsx'
import { NextButton } from '../values/form/next-button.tsx'
import { PresetsMenu } from '../values/form/presets/presets-menu.tsx'
import { useChanges } from '../values/form/use-changes.ts'
import { useValues } from '../values/form/use-values.ts'
import type { FormPlace } from '../values/form/values-form.tsx'
import { LeftOut, withForeign } from './install/linked-values.tsx'
import { WizardFrame } from './wizard-frame.tsx'

interface Props {
  frame: Omit<ComponentProps<typeof WizardFrame>, 'children' | 'actions' | 'note'>
  itemId: string
  versionId: string
  appMetadata: AppMetadata
  schema: unknown
  defaults: string
  place: FormPlace
  yaml: string
  onChange: (yaml: string) => void
  previous: ReactNode
  onNext: () => void
  /** The deployed values, to compare with. */
  deployed?: string | null
  /** Decided before the values are looked at; while something is open, Next stays shut. */
  above?: ReactNode
  isOpen?: boolean
}

/** The Infrastructure step in its frame; Next opens when the server has accepted exactly what is shown. */
export function InfrastructurePage({
  frame,
  itemId,
  versionId,
  appMetadata,
  schema,
  defaults,
  place,
  yaml,
  onChange,
  previous,
  onNext,
  deployed = null,
  above,
  isOpen = false,
}: Props) {
  const validation = useValidation(versionId, appMetadata, yaml)
  const { result } = validation
  const isAccepted = result?.success === true && validation.yaml === yaml && yaml.trim() !== ''
  const isRefused = result?.success === false && validation.yaml === yaml
  const [left, setLeft] = useState<readonly string[]>([])
  const { view, failed, setFailed, show } = useView(yaml)
  const before = useMemo(() => openValues(defaults, schema), [defaults, schema])
  const values = useValues({ yaml, schema, isForm: view === 'form', known: before, onChange })
  const { clusterId, spaceId } = place
  const formPlace = useMemo(() => ({ clusterId, spaceId }), [clusterId, spaceId])
  const { fields } = values.model
  const typed = useChanges(yaml, defaults, schema, view === 'yaml')
  // A text that is no YAML at the moment has no fields to compare.
  const changed = useMemo(() => (fields.length === 0 ? 0 : countChanges(fields, before.fields)), [fields, before])
  const changes = typed ?? changed
  return (
    <WizardFrame
      {...frame}
      note={<FormNote values={values} yaml={yaml} isRefused={isRefused} changes={changes} />}
      actions={
        <>
          {previous}
          <NextButton values={values} isOpen={isAccepted && !isOpen} onNext={onNext} />
        </>
      }
    >
      {above}
      <LeftOut names={left} />
      <Infrastructure
        yaml={yaml}
        values={values}
        defaults={before}
        view={view}
        onView={show}
        failed={failed}
        against={{ defaults, deployed }}
        place={formPlace}
        validation={validation}
        onChange={(text) => {
          setFailed(undefined)
          onChange(text)
        }}
        below={
          result !== undefined &&
          validation.yaml === yaml && (
            <>
              <OutsideNeeds {...{ versionId, appMetadata, yaml, result }} again={validation.again} />
              <PolicyRemedy {...{ yaml, result, onChange }} />
            </>
          )
        }
        tools={
          <ValuesTools
            {...{ itemId, versionId, yaml, defaults, schema }}
            onApply={(applied) => {
              setLeft(applied.left)
              onChange(applied.yaml)
            }}
          />
        }
      />
    </WizardFrame>
  )
}

/** Form or YAML, and why the form could not be shown. */
function useView(yaml: string) {
  const [view, setView] = useState<'form' | 'yaml'>('form')
  const [failed, setFailed] = useState<string>()
  const show = (next: 'form' | 'yaml') => {
    const problem = next === 'form' ? yamlProblem(yaml) : undefined
    // A form of a text that cannot be read would lose it.
    setFailed(problem && `${texts.infrastructure.conversionFailed}: ${whereIn(problem)}`)
    if (problem === undefined) setView(next)
  }
  return { view, failed, setFailed, show }
}

type ToolProps = Pick<Props, 'itemId' | 'versionId' | 'yaml' | 'defaults' | 'schema'> & {
  onApply: (applied: ReturnType<typeof withForeign>) => void
}

function ValuesTools({ itemId, versionId, yaml, defaults, schema, onApply }: ToolProps) {
  const mayYaml = useMay()('values.yaml') === true
  return (
    <>
      <CopyLink versionId={versionId} yaml={yaml} defaults={defaults} schema={schema} />
      <PresetsMenu
        itemId={itemId}
        versionId={versionId}
        yaml={yaml}
        onApply={(preset) => onApply(withForeign(yaml, preset.yaml, { defaults, schema, mayYaml }))}
      />
    </>
  )
}

function whereIn({ line, message }: { line?: number; message: string }): string {
  return line === undefined ? message : `line ${line}: ${message}`
}
