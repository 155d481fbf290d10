RSpec.describe Library::Search do
  subject(:search) { described_class.new(shelf) }

  it "puts titles before authors" do
    expect(search.find("art").map(&:title)).to eq(["The Art of Tea", "Rivers"])
  end

  it "wants every word, or its beginning" do
    expect(search.find("tea gard").map(&:title)).to eq(["Tea Gardens"])
    expect(search.find("tea rain")).to eq([])
  end

  it "passes over small words" do
    expect(search.find("the of")).to eq([])
    expect(search.find("a film").map(&:title)).to eq(["A Film of Rain"])
  end

  it "can be narrowed to a kind and to years" do
    expect(search.find("a rain", kind: :book)).to eq([])
    expect(search.find("tea", years: 2000..2010).map(&:title)).to eq(["Tea Gardens"])
  end
end
