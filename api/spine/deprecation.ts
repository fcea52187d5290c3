// How a deprecated operation announces it: on each of its responses, including errors, and in the document. RFC 9745,
// RFC 8594.
import { startOfDayMs } from '../../domain/business-day.ts';
import type { BusinessDate } from '../../domain/dates.ts';

/** The end of an operation, announced in the route table. Days are in UTC. */
export interface Deprecation {
  /** From this day on new clients should not use it. */
  since: BusinessDate;
  /** From this day on it may be gone. */
  sunset?: BusinessDate;
  /** Pattern of the operation that replaces it, or the address of a page that explains what to do. */
  successor?: string;
}

/** Returns the headers `Deprecation`, `Sunset` and `Link`. */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${startOfDayMs(since, 0) / 1000}`,
    ...(sunset === undefined ? {} : { Sunset: new Date(startOfDayMs(sunset, 0)).toUTCString() }),
    ...(successor === undefined ? {} : { Link: `<${successor}>; rel="successor-version"` }),
  };
}

/** Describes those headers for the document. */
export function describedHeaders({ sunset, successor }: Deprecation): Record<string, object> {
  const described = (description: string) => ({ description, schema: { type: 'string' } });
  return {
    Deprecation: described('The day since which the operation is deprecated: `@` and the Unix time in seconds.'),
    ...(sunset === undefined ? {} : { Sunset: described('The day from which the operation may be gone.') }),
    ...(successor === undefined
      ? {}
      : {
          Link: described(
            'What takes the place of the operation: `<address>; rel="successor-version"`. On a list also `rel="next"`.',
          ),
        }),
  };
}

/** Returns the sentence for the document. */
export function deprecationText({ since, sunset, successor }: Deprecation): string {
  const end = sunset === undefined ? '' : ` It may be gone from ${sunset} on.`;
  const instead = successor === undefined ? '' : ` Use \`${successor}\` instead.`;
  return `Deprecated since ${since}.${end}${instead}`;
}
