// A postal address as it is stored inside other rows.

export interface Address {
  line1: string;
  line2?: string | null;
  city: string;
  state: string;
  postalCode: string;
}
