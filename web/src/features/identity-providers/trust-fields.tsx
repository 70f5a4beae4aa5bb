import { Checkbox } from '../../ui/forms/checkbox.tsx'

interface Trust {
  trustEmail: boolean
  linkOnly: boolean
}

/** Choices about whom a provider brings. */
export function TrustFields({ value, onChange }: { value: Trust; onChange: (next: Trust) => void }) {
  return (
    <>
      <Checkbox checked={value.trustEmail} onChange={(trustEmail) => onChange({ ...value, trustEmail })}>
        Take addresses that it has verified as verified
      </Checkbox>
      <Checkbox checked={value.linkOnly} onChange={(linkOnly) => onChange({ ...value, linkOnly })}>
        Only for accounts that are here already: nobody gets a new one
      </Checkbox>
    </>
  )
}
