import type { Rate } from '@quayside/contract/cost/prices'
import { useState } from 'react'
import { useSetRates } from '../../../api/cost/prices.ts'
import { currencies } from '../../../lib/currencies.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { Choice } from '../../../ui/forms/select.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'

interface Props {
  /** Rates that were entered before, which stay. */
  kept: readonly Omit<Rate, 'source'>[]
  onClose: () => void
}

/** Enters the rate of one currency. */
export function RateDialog({ kept, onClose }: Props) {
  const save = useSetRates()
  const [currency, setCurrency] = useState('USD')
  const [perEuro, setPerEuro] = useState('')
  const [asOf, setAsOf] = useState(() => new Date().toISOString().slice(0, 10))
  const [wrong, setWrong] = useState<string>()
  const submit = () => {
    const rate = Number(perEuro)
    const isRate = perEuro.trim() !== '' && Number.isFinite(rate) && rate > 0
    setWrong(isRate ? undefined : 'Enter a rate such as 1.08.')
    if (!isRate) return
    const others = kept.filter((one) => one.currency !== currency)
    save.mutate([...others, { currency, perEuro: rate, asOf }], { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Enter a rate"
      submitLabel="Save"
      onClose={onClose}
      onSubmit={submit}
      busy={save.isPending}
      error={save.error}
    >
      <Choice
        label="Currency"
        value={currency}
        options={currencies()
          .filter(({ code }) => code !== 'EUR')
          .map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))}
        onChange={setCurrency}
      />
      <TextField
        label="One euro is"
        inputMode="decimal"
        required
        value={perEuro}
        error={wrong}
        onChange={(event) => setPerEuro(event.target.value)}
      />
      <TextField label="Rate of" type="date" required value={asOf} onChange={(event) => setAsOf(event.target.value)} />
    </FormDialog>
  )
}
