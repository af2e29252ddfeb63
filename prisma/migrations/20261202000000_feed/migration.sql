-- Whoever watches a page learns that its record has moved on: one short word per written change, delivered when the transaction is.
create function tell_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('clearance_changes', json_build_object('change', new.id, 'cluster', new.cluster_id, 'version', new.version)::text);
  return null;
end $$;
create trigger tell_change after insert or update of version on changes for each row execute function tell_change();
