package api

import (
	"context"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"google.golang.org/protobuf/types/known/timestamppb"
)

// tableService makes and lists tables.
type tableService struct {
	hanteiv1.UnimplementedTableServiceServer
	*edge
	host *host.Host
}

// tablesPage is how many tables a page has unless the caller says otherwise;
// maxTables is the most.
const (
	tablesPage = 50
	maxTables  = 100
)

// CreateTable implements hanteiv1.TableServiceServer.
func (s *tableService) CreateTable(ctx context.Context, r *hanteiv1.CreateTableRequest) (*hanteiv1.CreateTableResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	key, refusal := request(r.GetRequestId(), r)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	made, err := s.host.CreateTable(ctx, by, host.NewTable{
		Request: key, Name: r.GetName(), Ruleset: r.GetRuleset(), Options: r.GetOptions(),
	})
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.CreateTableResponse{Table: tableOf(made.Table), GmSeat: made.Seat, GmToken: made.Token}, nil
}

// GetTable implements hanteiv1.TableServiceServer.
func (s *tableService) GetTable(ctx context.Context, r *hanteiv1.GetTableRequest) (*hanteiv1.GetTableResponse, error) {
	if _, refusal := seated(ctx, r.GetTableId()); refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	t, err := s.host.Table(ctx, r.GetTableId())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	return &hanteiv1.GetTableResponse{Table: tableOf(t)}, nil
}

// ListTables implements hanteiv1.TableServiceServer.
func (s *tableService) ListTables(ctx context.Context, r *hanteiv1.ListTablesRequest) (*hanteiv1.ListTablesResponse, error) {
	by, refusal := anybody(ctx)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	size, refusal := pageSize(r.GetPageSize(), tablesPage, maxTables)
	if refusal != nil {
		return nil, s.fail(ctx, refusal)
	}
	all, next, err := s.host.Tables(ctx, by, size, r.GetPageToken())
	if err != nil {
		return nil, s.fail(ctx, err)
	}
	out := &hanteiv1.ListTablesResponse{NextPageToken: next}
	for _, t := range all {
		out.Tables = append(out.Tables, tableOf(t))
	}
	return out, nil
}

func tableOf(t host.Table) *hanteiv1.Table {
	return &hanteiv1.Table{
		Id: t.ID, Name: t.Name, Ruleset: t.Ruleset, Options: t.Options, PackHash: t.PackHash,
		CreateTime: &timestamppb.Timestamp{Seconds: t.CreateTimeMS / 1000, Nanos: int32(t.CreateTimeMS%1000) * 1_000_000},
	}
}
