import { type RequiredAction, requiredActions } from '@quayside/contract/users/rules'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { FieldGroup } from '../../ui/forms/field-group.tsx'

const words: Record<RequiredAction, string> = {
  UPDATE_PASSWORD: 'Choose a new password',
  CONFIGURE_TOTP: 'Set up a second factor',
  VERIFY_EMAIL: 'Verify the e-mail address',
  UPDATE_PROFILE: 'Complete the profile',
  'webauthn-register': 'Set up a security key',
  'webauthn-register-passwordless': 'Set up a passkey',
}

interface Props {
  legend: string
  offered?: readonly RequiredAction[]
  disabled?: boolean
  chosen: readonly string[]
  onChange: (actions: string[]) => void
}

/** Things that a person is asked to do; those of the identity server that are unknown here stay. */
export function ActionChoice({ legend, offered = requiredActions, disabled = false, chosen, onChange }: Props) {
  const others = chosen.filter((action) => !requiredActions.some((one) => one === action))
  return (
    <FieldGroup legend={legend}>
      {offered.map((action) => (
        <Checkbox
          key={action}
          disabled={disabled}
          checked={chosen.includes(action)}
          onChange={(isWanted) => onChange(isWanted ? [...chosen, action] : chosen.filter((one) => one !== action))}
        >
          {words[action]}
        </Checkbox>
      ))}
      {others.length > 0 && <bdi>{others.join(', ')}</bdi>}
    </FieldGroup>
  )
}
