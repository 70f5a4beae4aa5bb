import type { IdentityProvider, MappingInput } from '@quayside/contract/identity-providers/endpoints'
import { providerLimits as most } from '@quayside/contract/identity-providers/rules'
import { type FormEvent, useState } from 'react'
import { groupOptions, useGroups } from '../../api/groups.ts'
import { useCreateMapping } from '../../api/realms/identity-providers.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import type { Right } from '../../ui/actions/explain.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { Radio } from '../../ui/forms/checkbox.tsx'
import { FieldGroup } from '../../ui/forms/field-group.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import parts from '../../ui/layout/form-parts.module.css'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'

const start = { claim: '', value: '', attribute: '' }

function useNewMapping(id: string) {
  const [kind, setKind] = useState<'group' | 'attribute'>('group')
  const [typed, setTyped] = useState(start)
  const [groupId, setGroup] = useState<string>()
  const create = useCreateMapping(id)
  const claim = typed.claim.trim()
  const input: MappingInput | undefined =
    kind === 'group'
      ? groupId === undefined || typed.value.trim() === ''
        ? undefined
        : { kind, claim, value: typed.value.trim(), groupId }
      : { kind, claim, attribute: typed.attribute.trim() }
  const isWrong = claim === '' || input === undefined || (kind === 'attribute' && typed.attribute.trim() === '')
  const change = (part: Partial<typeof start>) => {
    create.reset()
    setTyped({ ...typed, ...part })
  }
  const clear = () => {
    setTyped(start)
    setGroup(undefined)
  }
  return { kind, setKind, typed, change, groupId, setGroup, create, input, isWrong, clear }
}
type Form = ReturnType<typeof useNewMapping>

/** Adds a mapping of a claim. */
export function NewMapping({ provider, right }: { provider: IdentityProvider; right: Right }) {
  const form = useNewMapping(provider.id)
  const { create, input, kind } = form
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (input !== undefined) create.mutate(input, { onSuccess: form.clear })
  }
  const refused = create.error instanceof ApiError ? create.error : undefined
  const of = (field: string) => (refused?.field === field ? refused.message : undefined)
  return (
    <form onSubmit={submit} noValidate aria-label="New mapping" className={parts.stack}>
      <FieldGroup legend="A claim leads to">
        <Radio name="kind" checked={kind === 'group'} onChange={() => form.setKind('group')}>
          A group
        </Radio>
        <Radio name="kind" checked={kind === 'attribute'} onChange={() => form.setKind('attribute')}>
          A name, the address or an attribute
        </Radio>
      </FieldGroup>
      <Text form={form} field="claim" label="Claim" help="As in groups, or realm_access.roles" error={of('claim')} />
      {kind === 'group' ? (
        <>
          <Text
            form={form}
            field="value"
            label="Value"
            help="The claim is this, or has it in its list."
            error={of('value')}
          />
          <GroupChoice form={form} invalid={of('groupId')} />
        </>
      ) : (
        <Text
          form={form}
          field="attribute"
          label="Attribute"
          help="email, firstName, lastName, or an attribute of another name"
          error={of('attribute')}
        />
      )}
      {create.error !== null && !['claim', 'value', 'groupId', 'attribute'].some(of) && (
        <ErrorPanel error={create.error} name="Add" />
      )}
      <div className={parts.actions}>
        <GuardedButton {...right} type="submit" look="primary" busy={create.isPending} disabled={form.isWrong}>
          Add mapping
        </GuardedButton>
      </div>
    </form>
  )
}

interface TextProps {
  form: Form
  field: keyof typeof start
  label: string
  help: string
  error: string | undefined
}

function Text({ form, field, label, help, error }: TextProps) {
  return (
    <TextField
      {...{ label, help, error }}
      dir="ltr"
      autoComplete="off"
      maxLength={most.claim}
      value={form.typed[field]}
      onChange={(event) => form.change({ [field]: event.target.value })}
    />
  )
}

function GroupChoice({ form, invalid }: { form: Form; invalid: string | undefined }) {
  const groups = useGroups()
  return (
    <OptionSelect
      label="Group"
      options={groups.data && groupOptions(groups.data)}
      value={form.groupId}
      placeholder="Choose a group"
      error={groups.error}
      errorName="Groups"
      emptyText="No groups"
      invalid={invalid}
      onChange={form.setGroup}
    />
  )
}
