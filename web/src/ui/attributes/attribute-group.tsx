import type { ComponentProps } from 'react'
import type { Right } from '../actions/explain.ts'
import { GuardedButton } from '../actions/guarded-button.tsx'
import { FieldGroup } from '../forms/field-group.tsx'
import { AttributeLines } from './attribute-lines.tsx'

interface Props extends ComponentProps<typeof AttributeLines> {
  /** The right to change them, which is one of its own. */
  right: Right
  disabled?: boolean
}

/** The attributes of a person, a group or a role; whoever may only see them can ask why. */
export function AttributeGroup({ right, disabled = false, ...lines }: Props) {
  return (
    <>
      <FieldGroup legend="Attributes" disabled={disabled || right.allowed !== true}>
        <AttributeLines {...lines} />
      </FieldGroup>
      {right.allowed === false && (
        <div>
          <GuardedButton {...right} small>
            Change attributes
          </GuardedButton>
        </div>
      )}
    </>
  )
}
