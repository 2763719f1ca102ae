import type { Incident } from './delivery-facts.ts';

const mostIncidents = 50;

/** Refusals are counted apart, so that many of them cannot hide a failure. */
export function noteIncident(incidents: Incident[], incident: Incident): void {
  const alike = incidents.filter(({ refuses }) => refuses === incident.refuses);
  if (alike.length < mostIncidents) incidents.push(incident);
}
